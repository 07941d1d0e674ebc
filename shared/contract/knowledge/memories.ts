// Memories in the words of the knowledge catalogue: atomic notes that link themselves. The store is the one of every vocabulary.
import { z } from 'zod';
import { id, instant, labels, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { getMemoryLinks, linkMemories, removeMemoryLink, unlinkMemories } from './memory-links.ts';
import { note } from './note.ts';
import { pluginWarnings } from './plugin-warnings.ts';
import { provenanceInput } from './provenance.ts';

const ids = (max: number) => z.array(id).max(max);
const key = text(200).optional();
const memoryId = id.optional().describe('the memory; `id` is the same');

const attachments = {
  project_ids: ids(100).optional(),
  code_artifact_ids: ids(100).optional(),
  document_ids: ids(100).optional(),
  file_ids: ids(100).optional(),
  skill_ids: ids(100).optional(),
};

const similar = z.object({
  id,
  title: z.string(),
  keywords: z.array(z.string()),
  tags: z.array(z.string()),
  importance: z.int(),
  created_at: utc,
  updated_at: utc,
  similarity: z.number(),
});

const obsoleteMatch = z.object({
  id,
  title: z.string(),
  similarity: z.number(),
  obsolete_reason: z.string().nullable(),
  superseded_by: id.nullable(),
  obsoleted_at: utc.nullable(),
  project_ids: z.array(id),
});

const projectName = requiredText(500).optional().describe('name of a project, in place of its id in project_ids');

export const createMemory = defineContract({
  name: 'create_memory',
  title: 'Create a note',
  description:
    'Store one atomic note of the knowledge graph: a title that stands alone and at most 2,000 characters about one idea. It links itself to the nearest notes. Check similar_memories in the answer, and obsolete_matches for what was given up before. Longer texts belong into create_document.',
  category: 'memory',
  input: z.strictObject({
    title: requiredText(200),
    content: requiredText(2_000),
    context: text(500).default('').describe('why it matters, how it relates'),
    keywords: labels(10).default([]),
    tags: labels(10).default([]),
    importance: z.int().min(1).max(10).default(5).describe('9-10 personal or architectural, 7-8 important, 5-6 useful'),
    project: projectName,
    ...attachments,
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: z.object({
    id,
    memory_id: id,
    title: z.string(),
    linked_memory_ids: z.array(id),
    project_ids: z.array(id),
    code_artifact_ids: z.array(id),
    document_ids: z.array(id),
    file_ids: z.array(id),
    skill_ids: z.array(id),
    similar_memories: z.array(similar),
    obsolete_matches: z.array(obsoleteMatch),
    warnings: z.array(z.string()),
    ...pluginWarnings,
  }),
  examples: [
    {
      title: 'Stripe for payments',
      content: 'We chose Stripe for its interface and fraud checks.',
      context: 'Choosing a payment provider',
      keywords: ['payment', 'stripe'],
      tags: ['decision'],
      importance: 9,
      project_ids: [1],
    },
  ],
  hints: additiveHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/memories', created: () => true, defaults: { importance: 7 } }],
  cli: {
    command: 'memory save',
    positional: ['content'],
    flags: { keyword: 'keywords', tag: 'tags', p: 'project' },
  },
});

export const queryMemory = defineContract({
  name: 'query_memory',
  title: 'Query notes',
  description:
    'Find notes by keyword and meaning, with the notes they are linked to. Say in query what you look for and in query_context why. Notes of higher importance come first; links give way when the token budget is reached.',
  category: 'memory',
  input: z.strictObject({
    query: text(10_000).describe('what to look for, in plain words'),
    query_context: text(10_000).optional().describe('why you ask: helps to rank'),
    k: z.int().min(1).max(20).default(3),
    include_links: z.boolean().default(true),
    max_links_per_primary: z.int().min(0).max(10).default(5),
    importance_threshold: z.int().min(1).max(10).optional(),
    project_ids: ids(100).optional(),
    project: projectName,
    strict_project_filter: z.boolean().default(false).describe('apply project_ids to linked notes too'),
    token_context_threshold: z.int().min(4_000).max(25_000).optional().describe('token budget of this answer'),
    compact: z.boolean().default(false).describe('short form: the fields that matter, linked notes by title'),
  }),
  output: z.object({
    query: z.string(),
    primary_memories: z.array(note.partial().extend({ id })),
    linked_memories: z.array(z.object({ memory: note.partial().extend({ id }), link_source_id: id })),
    scores: z.array(
      z.object({
        memory_id: id,
        similarity: z.number().nullable(),
        keyword: z.number().nullable(),
        fused: z.number(),
        rerank_score: z.number().nullable(),
      }),
    ),
    total_count: z.int(),
    token_count: z.int(),
    truncated: z.boolean(),
    degraded: z.array(z.string()),
  }),
  examples: [{ query: 'payment provider', query_context: 'adding a refund button', k: 3, project_ids: [1] }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'POST', path: '/api/v1/memories/search' }],
  cli: {
    command: 'memory search',
    positional: ['query'],
    flags: { context: 'query_context', c: 'query_context', n: 'k', p: 'project' },
  },
});

export const getMemory = defineContract({
  name: 'get_memory',
  title: 'Get a note',
  description: 'Read one note whole by its id, obsolete ones too.',
  category: 'memory',
  input: z.strictObject({ memory_id: memoryId, id: id.optional() }),
  output: note,
  examples: [{ memory_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/memories/:id' }],
  cli: { command: 'memory get', positional: ['id'] },
});

export const updateNote = defineContract({
  name: 'update_memory',
  title: 'Update a note',
  description:
    'Change fields of a note; only what you pass changes, lists are replaced whole. Changed text is embedded again. To replace a note by another one, mark it obsolete instead.',
  category: 'memory',
  input: z.strictObject({
    memory_id: memoryId,
    id: id.optional(),
    title: requiredText(200).optional(),
    content: requiredText(2_000).optional(),
    context: text(500).nullable().optional(),
    keywords: labels(10).optional(),
    tags: labels(10).optional(),
    importance: z.int().min(1).max(10).optional(),
    ...attachments,
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: note.extend(pluginWarnings),
  examples: [{ memory_id: 1, tags: ['decision', 'payment'] }],
  hints: updateHints,
  scope: 'write:memories',
  http: [
    { method: 'PATCH', path: '/api/v1/memories/:id' },
    { method: 'PUT', path: '/api/v1/memories/:id' },
  ],
});

/** The source and targets of a link, under every name that clients of the catalogue use for them. */
export const markMemoryObsolete = defineContract({
  name: 'mark_memory_obsolete',
  title: 'Mark a note obsolete',
  description:
    'Hide a note that no longer holds, with the reason and, where there is one, the note that replaces it. It stays readable by id.',
  category: 'memory',
  input: z.strictObject({
    memory_id: memoryId,
    id: id.optional(),
    reason: text(1_000).default('Marked obsolete'),
    superseded_by: id.nullable().optional(),
    idempotency_key: key,
  }),
  output: z.object({ success: z.boolean(), warnings: z.array(z.string()).optional(), ...pluginWarnings }),
  examples: [{ memory_id: 1, reason: 'we moved to another provider', superseded_by: 2 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'DELETE', path: '/api/v1/memories/:id' }],
});

export const unobsoleteMemory = defineContract({
  name: 'unobsolete_memory',
  title: 'Restore a note',
  description: 'Bring back a note that was marked obsolete.',
  category: 'memory',
  input: z.strictObject({ memory_id: memoryId, id: id.optional(), idempotency_key: key }),
  output: z.object({ success: z.boolean(), ...pluginWarnings }),
  examples: [{ memory_id: 5 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/memories/:id/restore' }],
});

export const getRecentMemories = defineContract({
  name: 'get_recent_memories',
  title: 'Recent notes',
  description: 'List notes by time or importance, newest first, filtered by project, tag, importance or date.',
  category: 'memory',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(10),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    project_ids: ids(100).optional(),
    project: projectName,
    include_obsolete: z.boolean().default(false),
    sort_by: z.enum(['created_at', 'updated_at', 'importance']).default('created_at'),
    sort_order: z.enum(['desc', 'asc']).default('desc'),
    tags: labels(20).optional().describe('any of these'),
    importance_min: z.int().min(1).max(10).optional(),
    created_since: instant.optional(),
  }),
  output: z.object({
    memories: z.array(note),
    total_count: z.int(),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
  }),
  examples: [{ limit: 5, project_ids: [1], sort_by: 'importance' }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [
    {
      method: 'GET',
      path: '/api/v1/memories',
      aliases: { project_id: 'project_ids' },
      csv: ['tags', 'project_ids'],
      defaults: { limit: 20 },
    },
  ],
  cli: {
    command: 'memory recent',
    flags: { n: 'limit', tag: 'tags', p: 'project' },
  },
});

export const rebuildEmbeddings = defineContract({
  name: 'rebuild_embeddings',
  title: 'Rebuild embeddings',
  description: 'Embed notes again: the given ones, those of a project, or all active ones. Texts do not change.',
  category: 'memory',
  input: z.strictObject({
    memory_ids: ids(1_000).nullable().optional(),
    project_id: id.nullable().optional(),
    idempotency_key: key,
  }),
  output: z.object({
    rebuilt_ids: z.array(id),
    skipped_ids: z.array(id),
    failed: z.array(z.object({ memory_id: id, reason: z.string() })),
  }),
  examples: [{ memory_ids: [1, 2] }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/memories/rebuild-embeddings' }],
});

export const purgeNote = defineContract({
  name: 'delete_memory',
  title: 'Erase a note',
  description:
    'Erase a note for good, with its history, links and vectors. Only when the user asks; otherwise mark it obsolete.',
  category: 'memory',
  input: z.strictObject({ memory_id: memoryId, id: id.optional(), idempotency_key: key }),
  output: z.object({ success: z.boolean(), deleted_id: id }),
  examples: [{ memory_id: 1 }],
  hints: eraseHints,
  scope: 'write:memories',
  http: [{ method: 'DELETE', path: '/api/v1/memories/:id', when: { purge: 'true' } }],
});

export const noteContracts = [
  createMemory,
  queryMemory,
  getMemory,
  updateNote,
  linkMemories,
  unlinkMemories,
  removeMemoryLink,
  getMemoryLinks,
  markMemoryObsolete,
  unobsoleteMemory,
  getRecentMemories,
  rebuildEmbeddings,
  purgeNote,
] as const;
