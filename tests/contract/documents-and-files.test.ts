// Documents, code artifacts and files in the words of the knowledge catalogue, on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type Step, type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { madeUpTokens } from '../support/made-up-secrets.ts';

const token = madeUpTokens()[0]?.[1] ?? '';
const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const refusedField = (field: string): Step['gives'] => ({ refused: 'invalid_input', field });
const time = expect.stringMatching(/Z$/);
const noProvenance = {
  source_repo: null,
  source_files: [],
  source_url: null,
  confidence: null,
  encoding_agent: null,
  encoding_version: null,
  agent_id: null,
  agent_version: null,
  agent_model: null,
};

const adr = '# Events\n\nEvery service writes to Kafka.\n\n## Retention\n\nSeven days — 🦊.\n';
const documentSummary = {
  id: 1,
  document_id: 1,
  title: 'ADR-003',
  description: '',
  document_type: 'markdown',
  filename: null,
  size_bytes: Buffer.byteLength(adr),
  tags: ['adr'],
  project_id: null,
  created_at: time,
  updated_at: time,
};
const artifactSummary = {
  id: 1,
  code_artifact_id: 1,
  artifact_id: 1,
  title: 'Retry',
  description: 'waits longer each time',
  language: 'python',
  framework: null,
  version: null,
  tags: [],
  project_id: null,
  created_at: time,
  updated_at: time,
};
const fileSummary = {
  id: 1,
  file_id: 1,
  filename: 'a.png',
  description: 'A dot',
  mime_type: 'image/png',
  size_bytes: 5,
  tags: [],
  project_id: null,
  created_at: time,
  updated_at: time,
};
const page = (total: number) => ({ total_count: total, total, limit: 100, offset: 0, has_more: false });

const document = (more: object = {}) => ({ title: 'ADR-003', content: adr, ...more });
const artifact = (more: object = {}) => ({
  title: 'Retry',
  description: 'waits longer each time',
  code: 'def wait(n): return 2 ** n',
  language: 'Python',
  ...more,
});
const file = (more: object = {}) => ({
  filename: 'a.png',
  description: 'A dot',
  data: '/+8AAQI=',
  mime_type: 'image/png',
  ...more,
});

/** The three kinds: what makes one, and how its operations are called. */
const kinds = [
  { one: 'document', many: 'documents', list: 'list_documents', id: 'document_id', make: document },
  { one: 'code_artifact', many: 'code_artifacts', list: 'list_code_artifacts', id: 'artifact_id', make: artifact },
  { one: 'file', many: 'files', list: 'list_files', id: 'file_id', make: file },
] as const;
type Kind = (typeof kinds)[number];

const create = ({ one, make }: Kind, more: object = {}, gives: Step['gives'] = has({})): Step => ({
  operation: `create_${one}`,
  input: make(more),
  gives,
});
const lists = ({ list, many }: Kind, filter: object, ids: readonly number[]): Step => ({
  operation: list,
  input: { ...filter },
  gives: has({ [many]: ids.map((id) => expect.objectContaining({ id })), total: ids.length, has_more: false }),
});

const cases: SurfaceCase[] = [
  {
    name: 'K112 a document is stored, read, changed and deleted; K119 its list omits the content; K117 tags may be left out',
    steps: [
      {
        operation: 'create_document',
        input: document({ document_type: 'markdown', tags: ['adr'] }),
        gives: { output: { ...documentSummary, content: adr, ...noProvenance } },
      },
      {
        operation: 'get_document',
        input: { document_id: 1 },
        gives: { output: { ...documentSummary, content: adr, ...noProvenance } },
      },
      { operation: 'list_documents', input: {}, gives: { output: { documents: [documentSummary], ...page(1) } } },
      {
        operation: 'update_document',
        input: { id: 1, content: 'Kürzer', filename: 'adr.md' },
        gives: has({ content: 'Kürzer', size_bytes: 7, filename: 'adr.md', tags: ['adr'], title: 'ADR-003' }),
      },
      { operation: 'update_document', input: { id: 1, filename: '' }, gives: has({ filename: null }) },
      {
        operation: 'create_document',
        input: { title: 'Bare', content: 'x' },
        gives: has({ id: 2, tags: [], document_type: 'text', description: '' }),
      },
      {
        operation: 'delete_document',
        input: { document_id: 1 },
        gives: { output: { success: true, deleted_id: 1, document_id: 1 } },
      },
      { operation: 'get_document', input: { id: 1 }, gives: { refused: 'not_found', says: /Document 1 not found/ } },
    ],
  },
  {
    name: 'K112 a code artifact is stored under both names of its code, read, changed and deleted; K119 its list omits the code',
    steps: [
      {
        operation: 'create_code_artifact',
        input: artifact(),
        gives: {
          output: {
            ...artifactSummary,
            code: 'def wait(n): return 2 ** n',
            content: 'def wait(n): return 2 ** n',
            ...noProvenance,
          },
        },
      },
      {
        operation: 'create_code_artifact',
        input: { title: 'Pool', content: 'let pool;', language: 'js', framework: 'node', version: '20' },
        gives: has({ id: 2, code: 'let pool;', framework: 'node', version: '20', description: '' }),
      },
      {
        operation: 'create_code_artifact',
        input: { title: 'x', code: 'a', content: 'b', language: 'js' },
        gives: refusedField('content'),
      },
      { operation: 'create_code_artifact', input: { title: 'x', language: 'js' }, gives: refusedField('code') },
      { operation: 'get_code_artifact', input: { code_artifact_id: 1 }, gives: has(artifactSummary) },
      { operation: 'get_code_artifact', input: { artifact_id: 2 }, gives: has({ id: 2 }) },
      {
        operation: 'update_code_artifact',
        input: { code_artifact_id: 2, version: '21', language: 'TypeScript' },
        gives: has({ version: '21', language: 'typescript', code: 'let pool;' }),
      },
      { operation: 'update_code_artifact', input: { id: 2, framework: null }, gives: has({ framework: null }) },
      {
        operation: 'delete_code_artifact',
        input: { artifact_id: 2 },
        gives: { output: { success: true, deleted_id: 2, code_artifact_id: 2, artifact_id: 2 } },
      },
      {
        operation: 'list_code_artifacts',
        input: {},
        gives: { output: { code_artifacts: [artifactSummary], ...page(1) } },
      },
    ],
  },
  {
    name: 'K112 a file is stored, read, changed and deleted; K120 its base64 comes back as it went; K119 its list omits the bytes',
    steps: [
      { operation: 'create_file', input: file(), gives: { output: { ...fileSummary, ...noProvenance } } },
      {
        operation: 'get_file',
        input: { file_id: 1 },
        gives: { output: { ...fileSummary, ...noProvenance, data: '/+8AAQI=' } },
      },
      { operation: 'list_files', input: {}, gives: { output: { files: [fileSummary], ...page(1) } } },
      {
        operation: 'update_file',
        input: { id: 1, filename: 'b.png' },
        gives: has({ filename: 'b.png', size_bytes: 5 }),
      },
      { operation: 'update_file', input: { id: 1, data: 'aGVsbG8gd29ybGQ=' }, gives: has({ size_bytes: 11 }) },
      { operation: 'get_file', input: { id: 1 }, gives: has({ data: 'aGVsbG8gd29ybGQ=', filename: 'b.png' }) },
      ...['aGVsbG8', 'aGVs bG8=', 'aGVs\nbG8=', 'aGV$bG8=', 'aGVsbG8-', '====', 'aGVsbG8=aGVs'].map(
        (data): Step => ({ operation: 'update_file', input: { id: 1, data }, gives: refusedField('data') }),
      ),
      { operation: 'create_file', input: file({ data: '' }), gives: has({ id: 2, size_bytes: 0 }) },
      {
        operation: 'create_file',
        input: { filename: 'x', data: '', mime_type: 'a/b' },
        gives: refusedField('description'),
      },
      { operation: 'delete_file', input: { id: 1 }, gives: { output: { success: true, deleted_id: 1, file_id: 1 } } },
      { operation: 'get_file', input: { id: 1 }, gives: { refused: 'not_found', says: /File 1 not found/ } },
    ],
  },
  {
    name: 'K113 an unknown id is not found, by whatever is asked of it',
    steps: kinds.flatMap(({ one, id }) =>
      ['get', 'update', 'delete'].map(
        (verb): Step => ({
          operation: `${verb}_${one}`,
          input: { [id]: 9999 },
          gives: { refused: 'not_found', says: /9999 not found/ },
        }),
      ),
    ),
  },
  {
    name: 'K113 K118 a project that does not exist is not found and stores nothing, and no id at all is refused by its field',
    steps: kinds.flatMap((kind): Step[] => [
      create(kind, { project_id: 9999 }, { refused: 'not_found', says: /Project 9999 not found/ }),
      { operation: kind.list, input: { project_id: 'x' }, gives: refusedField('project_id') },
      lists(kind, { project_id: 9999 }, []),
      lists(kind, {}, []),
    ]),
  },
  {
    name: 'K114 lists are filtered by type, language and MIME type in any case; K116 by project; K115 by any of some tags',
    steps: [
      { operation: 'create_project', input: { name: 'Shop' }, gives: has({ id: 1 }) },
      ...filtered(kinds[0], { document_type: 'ADR' }, { document_type: 'adr' }, { document_type: 'ad' }),
      ...filtered(kinds[1], { language: 'TypeScript' }, { language: 'TYPESCRIPT' }, { language: 'type' }),
      ...filtered(kinds[2], { mime_type: 'text/Plain' }, { mime_type: 'TEXT/plain' }, { mime_type: 'text/*' }),
    ],
  },
  {
    name: 'B13 null clears what may be empty, [] empties, nothing given changes nothing, and null is refused where something must stand',
    steps: [
      create(kinds[0], { description: 'd', filename: 'f', tags: ['t'], source_url: 'https://x.test' }),
      {
        operation: 'update_document',
        input: { id: 1, source_url: null, description: null, filename: null },
        gives: has({ source_url: null, description: '', filename: null, tags: ['t'], content: adr }),
      },
      { operation: 'update_document', input: { id: 1 }, gives: has({ tags: ['t'] }) },
      { operation: 'update_document', input: { id: 1, tags: [] }, gives: has({ tags: [] }) },
      { operation: 'update_document', input: { id: 1, title: null }, gives: refusedField('title') },
      { operation: 'update_document', input: { id: 1, content: null }, gives: refusedField('content') },
      create(kinds[2], { tags: ['t'] }),
      { operation: 'update_file', input: { id: 1, description: null }, gives: refusedField('description') },
      { operation: 'update_file', input: { id: 1, tags: [] }, gives: has({ tags: [] }) },
    ],
  },
  {
    name: 'what cannot be is refused by its field and stores nothing: bounds, blanks, unknown fields, secrets',
    steps: [
      create(kinds[0], { title: ' ' }, refusedField('title')),
      create(kinds[0], { content: '\n' }, refusedField('content')),
      create(kinds[0], { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, refusedField('tags')),
      create(
        kinds[0],
        { document_typ: 'x' },
        { refused: 'invalid_input', field: 'document_typ', says: /document_type/ },
      ),
      create(kinds[0], { content: `token ${token}` }, { refused: 'rejected_by_policy', field: 'content' }),
      create(kinds[1], { code: 'x'.repeat(50_001) }, refusedField('code')),
      create(kinds[1], { code: `KEY = "${token}"` }, { refused: 'rejected_by_policy', field: 'code' }),
      create(kinds[2], { filename: 'f'.repeat(256) }, refusedField('filename')),
      create(
        kinds[2],
        { data: Buffer.from(`KEY=${token}`).toString('base64') },
        { refused: 'rejected_by_policy', field: 'data' },
      ),
      ...kinds.map((kind) => lists(kind, {}, [])),
    ],
  },
  {
    name: 'B65 K121 a note is linked to what exists alone, and deleting what it is linked to removes the link and not the note',
    steps: [
      ...kinds.map((kind) => create(kind)),
      {
        operation: 'create_memory',
        input: { title: 'Dangling', content: 'x', document_ids: [1, 99] },
        gives: { refused: 'not_found', says: /Documents not found: 99/ },
      },
      { operation: 'get_recent_memories', input: { limit: 10 }, gives: has({ total: 0 }) },
      {
        operation: 'create_memory',
        input: {
          title: 'Events',
          content: 'kafka',
          importance: 5,
          document_ids: [1],
          code_artifact_ids: [1],
          file_ids: [1],
        },
        gives: has({ id: 1, document_ids: [1], code_artifact_ids: [1], file_ids: [1] }),
      },
      { operation: 'delete_document', input: { id: 1 }, gives: has({ success: true }) },
      {
        operation: 'get_memory',
        input: { id: 1 },
        gives: has({ document_ids: [], code_artifact_ids: [1], file_ids: [1] }),
      },
      { operation: 'delete_code_artifact', input: { id: 1 }, gives: has({ success: true }) },
      { operation: 'delete_file', input: { id: 1 }, gives: has({ success: true }) },
      {
        operation: 'get_memory',
        input: { id: 1 },
        gives: has({ code_artifact_ids: [], file_ids: [], title: 'Events' }),
      },
    ],
  },
  {
    name: 'B68 a quote in a name or tag is a quote: only the exact match is listed, found and deleted',
    steps: [
      ...["it's", "x' OR 'q'='q", 'x'].map(
        (name): Step => ({ operation: 'create_project', input: { name }, gives: has({ name }) }),
      ),
      ...[1, 2, 3].map((project_id) => create(kinds[0], { project_id, tags: [["a'); --", 'a', 'b'][project_id - 1]] })),
      lists(kinds[0], { tags: ["a'); --"] }, [1]),
      lists(kinds[0], { tags: ["' OR 1=1 --"] }, []),
      lists(kinds[0], { document_type: "text' OR '1'='1" }, []),
      {
        operation: 'list_projects',
        input: { name: "' OR '" },
        gives: has({ projects: [expect.objectContaining({ id: 2 })] }),
      },
      { operation: 'list_projects', input: { repo_name: "x' OR 'q'='q" }, gives: has({ total: 0 }) },
      { operation: 'delete_project', input: { id: 2 }, gives: has({ deleted_id: 2 }) },
      { operation: 'list_projects', input: {}, gives: has({ total: 2 }) },
      { operation: 'get_document', input: { id: 2 }, gives: has({ project_id: null }) },
      { operation: 'get_document', input: { id: 3 }, gives: has({ project_id: 3 }) },
    ],
  },
  {
    name: 'merging two projects brings their documents, code and files together',
    steps: [
      ...['Shop', 'shopfront'].map(
        (name): Step => ({ operation: 'create_project', input: { name }, gives: has({ name }) }),
      ),
      ...kinds.map((kind) => create(kind, { project_id: 2 })),
      { operation: 'merge_projects', input: { from: 'shopfront', into: 'Shop' }, gives: has({ id: 1, moved: 0 }) },
      ...kinds.map((kind) => lists(kind, { project_id: 1 }, [1])),
    ],
  },
];

/** Two things of a kind, and lists that must find the first alone. */
function filtered(kind: Kind, type: object, asked: object, near: object): Step[] {
  return [
    create(kind, { ...type, tags: ['Größe', 'red'], project_id: 1 }),
    create(kind, { tags: ['blue'] }),
    lists(kind, asked, [1]),
    lists(kind, near, []),
    lists(kind, { project_id: 1 }, [1]),
    lists(kind, { tags: ['GRÖSSE', 'RED', 'green'] }, [1]),
    lists(kind, { tags: ['GRÖßE', 'blue'] }, [2, 1]),
    lists(kind, { tags: ['gr'] }, []),
    { operation: kind.list, input: { limit: 1 }, gives: has({ total: 2, has_more: true, limit: 1 }) },
  ];
}

testOnEverySurface(cases, daemonSurfaces);
