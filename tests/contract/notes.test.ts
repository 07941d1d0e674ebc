// Memories in the words of the knowledge catalogue, on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const note = (title: string, content: string, more: object = {}) => ({
  operation: 'create_memory',
  input: { title, content, context: '', keywords: [], tags: [], importance: 7, ...more },
});
const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const query = (text: string, more: object = {}) => ({
  operation: 'query_memory',
  input: { query: text, query_context: '', ...more },
});
const long = 'every service of the shop writes its events to the kafka cluster in the second region';

const cases: SurfaceCase[] = [
  {
    name: 'K24 a note answers its id and its lists; K32 it is there in the next call; K90 provenance may be left out',
    steps: [
      {
        ...note('Kafka', long, { keywords: ['kafka'], tags: ['events'], context: 'architecture' }),
        gives: {
          output: {
            id: 1,
            memory_id: 1,
            title: 'Kafka',
            linked_memory_ids: [],
            project_ids: [],
            code_artifact_ids: [],
            document_ids: [],
            file_ids: [],
            skill_ids: [],
            similar_memories: [],
            obsolete_matches: [],
            warnings: [],
          },
        },
      },
      {
        operation: 'get_memory',
        input: { memory_id: 1 },
        gives: has({
          id: 1,
          title: 'Kafka',
          content: long,
          context: 'architecture',
          keywords: ['kafka'],
          tags: ['events'],
          importance: 7,
          is_obsolete: false,
          source_repo: null,
        }),
      },
      { operation: 'get_memory', input: { id: 1 }, gives: has({ memory_id: 1 }) },
      { operation: 'get_memory', input: { id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'get_memory', input: {}, gives: { refused: 'invalid_input', field: 'memory_id' } },
    ],
  },
  {
    name: 'K25 K44 a near note is linked by itself and listed with its similarity; K69 links show in both directions',
    steps: [
      { ...note('Events', long), gives: has({ linked_memory_ids: [] }) },
      {
        ...note('Events again', `${long} now`),
        gives: has({
          id: 2,
          linked_memory_ids: [1],
          similar_memories: [expect.objectContaining({ id: 1, similarity: expect.any(Number) })],
        }),
      },
      { operation: 'get_memory', input: { memory_id: 1 }, gives: has({ linked_memory_ids: [2] }) },
      { operation: 'get_memory', input: { memory_id: 2 }, gives: has({ linked_memory_ids: [1] }) },
    ],
  },
  {
    name: 'K26 an unrelated note is not linked',
    steps: [
      { ...note('Events', long), gives: has({ linked_memory_ids: [] }) },
      { ...note('Tabs', 'we indent by tabs'), gives: has({ linked_memory_ids: [], similar_memories: [] }) },
    ],
  },
  {
    name: 'K29 K30 K31 a query finds the note and its neighbours, and the counts agree',
    steps: [
      { ...note('Events', long), gives: has({ id: 1 }) },
      { ...note('Tabs', 'we indent by tabs'), gives: has({ id: 2 }) },
      {
        operation: 'link_memories',
        input: { memory_id: 1, related_ids: [2] },
        gives: { output: { linked_memory_ids: [2], linked_ids: [2], skipped_ids: [] } },
      },
      {
        ...query('kafka cluster events', { k: 1 }),
        gives: has({
          primary_memories: [expect.objectContaining({ id: 1 })],
          linked_memories: [{ memory: expect.objectContaining({ id: 2 }), link_source_id: 1 }],
          scores: [expect.objectContaining({ memory_id: 1, rerank_score: null })],
          total_count: 2,
          truncated: false,
        }),
      },
      {
        ...query('kafka cluster events', { k: 1, include_links: false }),
        gives: has({ linked_memories: [], total_count: 1 }),
      },
      { ...query('kafka', { k: 21 }), gives: { refused: 'invalid_input', field: 'k', says: /20/ } },
      { ...query('kafka', { k: 0 }), gives: { refused: 'invalid_input', field: 'k' } },
      { ...query(' '), gives: { refused: 'invalid_input', field: 'query' } },
    ],
  },
  {
    name: 'K33 K34 importance and project filter what is found; K41 an empty result has empty scores',
    steps: [
      { ...save('Seed of the shop', 'shop'), gives: has({ project: 'shop' }) },
      { ...note('Low', 'the kafka topic of returns is slow', { importance: 3 }), gives: has({ id: 2 }) },
      {
        ...note('High', 'the kafka topic of orders is partitioned by customer', { importance: 9, project_ids: [1] }),
        gives: has({ id: 3, project_ids: [1] }),
      },
      {
        ...query('kafka topic', { importance_threshold: 8 }),
        gives: has({ primary_memories: [expect.objectContaining({ id: 3 })] }),
      },
      {
        ...query('kafka topic', { project_ids: [1], k: 1 }),
        gives: has({ primary_memories: [expect.objectContaining({ id: 3 })] }),
      },
      {
        ...query('kafka topic', { project_ids: [99] }),
        gives: has({ primary_memories: [], scores: [], total_count: 0 }),
      },
      {
        ...note('Nowhere', 'x y', { project_ids: [99] }),
        gives: { refused: 'not_found', says: /Projects not found: 99/ },
      },
    ],
  },
  {
    name: 'K36 the higher importance comes first',
    steps: [
      { ...note('A', 'kafka retention is seven days', { importance: 5 }), gives: has({ id: 1 }) },
      { ...note('B', 'kafka retention of audits is a year', { importance: 9 }), gives: has({ id: 2 }) },
      {
        ...query('kafka retention', { k: 2 }),
        gives: has({ primary_memories: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 1 })] }),
      },
    ],
  },
  {
    name: 'K52 K53 K55 an update changes what is given, lists whole; K56 an unknown id is not found',
    steps: [
      { ...note('A', 'first text', { tags: ['x'], keywords: ['k'] }), gives: has({ id: 1 }) },
      {
        operation: 'update_memory',
        input: { memory_id: 1, tags: ['y', 'z'], importance: 8 },
        gives: has({ tags: ['y', 'z'], keywords: ['k'], importance: 8, title: 'A' }),
      },
      {
        operation: 'update_memory',
        input: { memory_id: 1, importance: 99 },
        gives: { refused: 'invalid_input', field: 'importance' },
      },
      {
        operation: 'update_memory',
        input: { memory_id: 1, content: 'other words entirely' },
        gives: has({ content: 'other words entirely' }),
      },
      { ...query('first text', { k: 1 }), gives: has({ scores: [expect.objectContaining({ keyword: null })] }) },
      { operation: 'update_memory', input: { memory_id: 9, tags: [] }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K61 K62 K63 K64 obsolete hides everywhere but by id and names its successor; K70 it can be restored',
    steps: [
      { ...note('Old', 'sessions live in redis'), gives: has({ id: 1 }) },
      { ...note('New', 'tokens are kept by clerk'), gives: has({ id: 2 }) },
      {
        operation: 'mark_memory_obsolete',
        input: { memory_id: 1, reason: 'moved', superseded_by: 2 },
        gives: { output: { success: true } },
      },
      {
        operation: 'get_memory',
        input: { memory_id: 1 },
        gives: has({ is_obsolete: true, obsolete_reason: 'moved', superseded_by: 2, obsoleted_at: expect.any(String) }),
      },
      { ...query('sessions redis', { k: 5 }), gives: has({ primary_memories: [expect.objectContaining({ id: 2 })] }) },
      {
        operation: 'get_recent_memories',
        input: { limit: 10 },
        gives: has({ memories: [expect.objectContaining({ id: 2 })], total_count: 1, has_more: false }),
      },
      {
        operation: 'get_recent_memories',
        input: { include_obsolete: true, limit: 10 },
        gives: has({ total_count: 2 }),
      },
      {
        operation: 'mark_memory_obsolete',
        input: { memory_id: 2, reason: 'loop', superseded_by: 1 },
        gives: { refused: 'conflict' },
      },
      {
        operation: 'mark_memory_obsolete',
        input: { memory_id: 2, reason: 'self', superseded_by: 2 },
        gives: { refused: 'conflict' },
      },
      {
        operation: 'mark_memory_obsolete',
        input: { memory_id: 2, reason: 'x', superseded_by: 99 },
        gives: { refused: 'not_found' },
      },
      { operation: 'unobsolete_memory', input: { memory_id: 1 }, gives: { output: { success: true } } },
      { operation: 'unobsolete_memory', input: { memory_id: 1 }, gives: { refused: 'conflict', says: /not obsolete/ } },
      { operation: 'get_recent_memories', input: { limit: 10 }, gives: has({ total_count: 2 }) },
    ],
  },
  {
    name: 'K71 K75 saying again what was given up is warned of',
    steps: [
      { ...note('Old', long), gives: has({ id: 1 }) },
      {
        operation: 'mark_memory_obsolete',
        input: { memory_id: 1, reason: 'no more kafka' },
        gives: { output: { success: true } },
      },
      {
        ...note('Old', long),
        gives: has({
          id: 2,
          linked_memory_ids: [],
          obsolete_matches: [expect.objectContaining({ id: 1, obsolete_reason: 'no more kafka', superseded_by: null })],
        }),
      },
    ],
  },
  {
    name: 'K80 K81 K83 K84 links are made both ways, bad and repeated targets are skipped and named; K85 K88 K87',
    steps: [
      { ...note('A', 'alpha one'), gives: has({ id: 1 }) },
      { ...note('B', 'beta two'), gives: has({ id: 2 }) },
      { ...note('C', 'gamma three'), gives: has({ id: 3 }) },
      {
        operation: 'link_memories',
        input: { source_id: 1, target_ids: [2, 3, 99] },
        gives: {
          output: { linked_memory_ids: [2, 3], linked_ids: [2, 3], skipped_ids: [{ id: 99, reason: 'not found' }] },
        },
      },
      {
        operation: 'link_memories',
        input: { memory_ids: [1, 2] },
        gives: {
          output: { linked_memory_ids: [], linked_ids: [], skipped_ids: [{ id: 2, reason: 'linked already' }] },
        },
      },
      {
        operation: 'get_memory_links',
        input: { memory_id: 3 },
        gives: has({ linked_memories: [expect.objectContaining({ id: 1 })] }),
      },
      { operation: 'link_memories', input: { memory_id: 99, related_ids: [1] }, gives: { refused: 'not_found' } },
      { operation: 'link_memories', input: { memory_id: 1, related_ids: [1] }, gives: { refused: 'invalid_input' } },
      { operation: 'link_memories', input: { memory_id: 1, related_ids: [] }, gives: { refused: 'invalid_input' } },
      { operation: 'unlink_memories', input: { memory_id: 2, related_ids: [1] }, gives: { output: { success: true } } },
      {
        operation: 'unlink_memories',
        input: { memory_id: 2, related_ids: [1] },
        gives: { output: { success: false } },
      },
      { operation: 'remove_memory_link', input: { id: 1, target_id: 3 }, gives: { output: { success: true } } },
      { operation: 'remove_memory_link', input: { id: 1, target_id: 3 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K65 K68 recent notes page, sort and filter, and bad values are refused',
    steps: [
      { ...note('A', 'alpha one', { importance: 3, tags: ['Red'] }), gives: has({ id: 1 }) },
      { ...note('B', 'beta two', { importance: 9, tags: ['blue'] }), gives: has({ id: 2 }) },
      { ...note('C', 'gamma three', { importance: 6, tags: ['green'] }), gives: has({ id: 3 }) },
      {
        operation: 'get_recent_memories',
        input: { limit: 2 },
        gives: has({
          memories: [expect.objectContaining({ id: 3 }), expect.objectContaining({ id: 2 })],
          total: 3,
          has_more: true,
        }),
      },
      {
        operation: 'get_recent_memories',
        input: { limit: 2, offset: 2 },
        gives: has({ memories: [expect.objectContaining({ id: 1 })], has_more: false }),
      },
      {
        operation: 'get_recent_memories',
        input: { sort_by: 'importance', sort_order: 'asc', limit: 10 },
        gives: has({ memories: [1, 3, 2].map((id) => expect.objectContaining({ id })) }),
      },
      { operation: 'get_recent_memories', input: { tags: ['red', 'BLUE'], limit: 10 }, gives: has({ total: 2 }) },
      { operation: 'get_recent_memories', input: { importance_min: 6, limit: 10 }, gives: has({ total: 2 }) },
      {
        operation: 'get_recent_memories',
        input: { created_since: '2026-01-06', limit: 10 },
        gives: has({ total: 0, memories: [] }),
      },
      {
        operation: 'get_recent_memories',
        input: { sort_by: 'size', limit: 10 },
        gives: { refused: 'invalid_input', field: 'sort_by' },
      },
      { operation: 'get_recent_memories', input: { limit: 101 }, gives: { refused: 'invalid_input', field: 'limit' } },
      {
        operation: 'get_recent_memories',
        input: { created_since: 'soon', limit: 10 },
        gives: { refused: 'invalid_input', field: 'created_since' },
      },
    ],
  },
  {
    name: 'K89 K91 K92 K95 provenance is kept, changed, and blanks are dropped; K94 its bounds hold',
    steps: [
      {
        ...note('A', 'alpha one', {
          source_repo: 'o/r',
          source_files: ['a.ts', ' ', 'b.ts'],
          source_url: 'https://x.test',
          confidence: 0.9,
          encoding_agent: 'claude',
          agent_id: 'a1',
        }),
        gives: has({ id: 1 }),
      },
      {
        operation: 'get_memory',
        input: { memory_id: 1 },
        gives: has({
          source_repo: 'o/r',
          source_files: ['a.ts', 'b.ts'],
          confidence: 0.9,
          encoding_agent: 'claude',
          agent_id: 'a1',
        }),
      },
      {
        operation: 'update_memory',
        input: { memory_id: 1, source_url: null, encoding_version: '2' },
        gives: has({ source_url: null, encoding_version: '2', source_repo: 'o/r' }),
      },
      { ...note('B', 'beta', { confidence: 1.01 }), gives: { refused: 'invalid_input', field: 'confidence' } },
      { ...note('B', 'beta', { confidence: -0.01 }), gives: { refused: 'invalid_input', field: 'confidence' } },
    ],
  },
  {
    name: 'K57 K58 a note joins one project and several, K59 leaves them by []; K66 recent notes of a project; K67 an empty list is a list',
    steps: [
      {
        operation: 'get_recent_memories',
        input: { limit: 10 },
        gives: has({ memories: [], total_count: 0, has_more: false }),
      },
      { operation: 'create_project', input: { name: 'shop' }, gives: has({ id: 1 }) },
      { operation: 'create_project', input: { name: 'depot' }, gives: has({ id: 2 }) },
      { ...note('A', 'alpha one'), gives: has({ id: 1, project_ids: [] }) },
      { ...note('B', 'beta two', { project_ids: [2] }), gives: has({ id: 2, project_ids: [2] }) },
      { operation: 'update_memory', input: { memory_id: 1, project_ids: [1] }, gives: has({ project_ids: [1] }) },
      { operation: 'update_memory', input: { memory_id: 1, project_ids: [2, 1] }, gives: has({ project_ids: [2, 1] }) },
      {
        operation: 'get_recent_memories',
        input: { project_ids: [1], limit: 10 },
        gives: has({ memories: [expect.objectContaining({ id: 1, project_ids: [2, 1] })], total_count: 1 }),
      },
      { operation: 'get_recent_memories', input: { project_ids: [2], limit: 10 }, gives: has({ total_count: 2 }) },
      {
        operation: 'update_memory',
        input: { memory_id: 1, project_ids: [99] },
        gives: { refused: 'not_found', says: /Projects not found: 99/ },
      },
      { operation: 'update_memory', input: { memory_id: 1, project_ids: [] }, gives: has({ project_ids: [] }) },
      {
        operation: 'get_recent_memories',
        input: { project_ids: [1], limit: 10 },
        gives: has({ memories: [], total_count: 0 }),
      },
    ],
  },
  {
    name: 'K60 null clears a nullable field of a note on every transport, is refused where something must stand, and is absent on create',
    steps: [
      {
        ...note('A', 'alpha one', {
          source_repo: null,
          source_url: 'https://x.test',
          project_ids: null,
          confidence: null,
        }),
        gives: has({ id: 1, project_ids: [] }),
      },
      { operation: 'get_memory', input: { id: 1 }, gives: has({ source_repo: null, confidence: 0.5 }) },
      { operation: 'update_memory', input: { memory_id: 1, source_url: null }, gives: has({ source_url: null }) },
      {
        operation: 'update_memory',
        input: { memory_id: 1, title: null },
        gives: { refused: 'invalid_input', field: 'title' },
      },
      { operation: 'get_memory', input: { id: 1 }, gives: has({ title: 'A', source_url: null }) },
    ],
  },
  {
    name: 'K79 the files of a note are given at its birth, replaced whole and cleared; what does not exist is refused',
    steps: [
      ...['a.txt', 'b.txt'].map((filename) => ({
        operation: 'create_file',
        input: { filename, description: 'a text', data: 'YQ==', mime_type: 'text/plain' },
        gives: has({ filename }),
      })),
      { ...note('A', 'alpha one', { file_ids: [1] }), gives: has({ id: 1, file_ids: [1] }) },
      { operation: 'update_memory', input: { memory_id: 1, file_ids: [2] }, gives: has({ file_ids: [2] }) },
      { operation: 'update_memory', input: { memory_id: 1, tags: ['x'] }, gives: has({ file_ids: [2] }) },
      {
        operation: 'update_memory',
        input: { memory_id: 1, file_ids: [2, 9] },
        gives: { refused: 'not_found', says: /Files not found: 9/ },
      },
      { operation: 'update_memory', input: { memory_id: 1, file_ids: [] }, gives: has({ file_ids: [] }) },
      { operation: 'get_memory', input: { memory_id: 1 }, gives: has({ file_ids: [] }) },
      { ...note('B', 'beta two', { file_ids: [9] }), gives: { refused: 'not_found', says: /Files not found: 9/ } },
      { operation: 'get_recent_memories', input: { limit: 10 }, gives: has({ total_count: 1 }) },
    ],
  },
  {
    name: 'K82 a link is there in the next call, from both ends; K93 a query shows where a note comes from',
    steps: [
      {
        ...note('A', 'alpha one', { source_repo: 'o/r', encoding_agent: 'claude', source_files: ['a.ts'] }),
        gives: has({ id: 1 }),
      },
      { ...note('B', 'beta two'), gives: has({ id: 2 }) },
      { operation: 'link_memories', input: { memory_id: 1, related_ids: [2] }, gives: has({ linked_ids: [2] }) },
      ...[1, 2].map((memory_id) => ({
        operation: 'get_memory',
        input: { memory_id },
        gives: has({ linked_memory_ids: [3 - memory_id] }),
      })),
      {
        ...query('alpha', { k: 1 }),
        gives: has({
          primary_memories: [
            expect.objectContaining({ id: 1, source_repo: 'o/r', encoding_agent: 'claude', source_files: ['a.ts'] }),
          ],
        }),
      },
    ],
  },
  {
    name: 'K38 K39 K40 scores stand in the order of the notes, fall at equal importance and lie in [-1, 1], and the exact text comes first; K42 no reranker, no score of it',
    steps: [
      { ...note('Retention', 'kafka keeps events of the shop for seven days'), gives: has({ id: 1 }) },
      { ...note('Regions', 'kafka events of the shop are copied to the second region'), gives: has({ id: 2 }) },
      { ...note('Tabs', 'we indent by tabs'), gives: has({ id: 3 }) },
      {
        ...query('Retention kafka keeps events of the shop for seven days', { k: 3 }),
        gives: { output: expect.toSatisfy(hasAlignedScores) },
      },
    ],
  },
  {
    name: 'embeddings are rebuilt on request without touching a text, and a note is erased for good',
    steps: [
      { ...note('A', 'alpha one'), gives: has({ id: 1 }) },
      {
        operation: 'rebuild_embeddings',
        input: {},
        gives: { output: { rebuilt_ids: [1], skipped_ids: [], failed: [] } },
      },
      {
        operation: 'rebuild_embeddings',
        input: { memory_ids: [9] },
        gives: {
          output: { rebuilt_ids: [], skipped_ids: [], failed: [{ memory_id: 9, reason: 'not_found_or_not_owned' }] },
        },
      },
      {
        operation: 'rebuild_embeddings',
        input: { memory_ids: [] },
        gives: { refused: 'invalid_input', field: 'memory_ids' },
      },
      { operation: 'delete_memory', input: { memory_id: 1 }, gives: { output: { success: true, deleted_id: 1 } } },
      { operation: 'delete_memory', input: { memory_id: 1 }, gives: { refused: 'not_found' } },
    ],
  },
];

function save(content: string, project: string) {
  return { operation: 'memory_save', input: { content, project } };
}

type Scored = {
  primary_memories: { id: number }[];
  scores: { memory_id: number; similarity: number; fused: number; rerank_score: number | null }[];
};

/** Of notes of one importance. */
function hasAlignedScores({ primary_memories: notes, scores }: Scored): boolean {
  const first = scores[0];
  return (
    scores.length === notes.length &&
    scores.every(({ memory_id }, index) => memory_id === notes[index]?.id) &&
    scores.every(({ fused }, index) => index === 0 || fused <= (scores[index - 1]?.fused ?? 0)) &&
    scores.every(({ similarity, rerank_score }) => Math.abs(similarity) <= 1 && rerank_score === null) &&
    first?.memory_id === 1 &&
    first.similarity >= 0.9
  );
}

testOnEverySurface(cases, daemonSurfaces);
