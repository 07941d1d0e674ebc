// What the test of isolation is made of: everything a user can store, every row of the database, and every way to call an operation
// with ids that are somebody else's.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { alternativesOf, inputSchemaOf, type JsonSchema, typesOf } from '#daemon/kernel/input-schema.ts';
import { exampleValue } from '#daemon/mcp/example-input.ts';
import type { Contract } from '#shared/contract/operation.ts';
import type { TestStore } from './test-store.ts';

type Call = <Answer = Record<string, unknown>>(name: string, input?: object) => Promise<Answer>;

/** Ids by kind: `memory_id`, `project_ids` and `id` of an operation on memories all mean a kind. */
export type Belongings = Readonly<Record<string, number>>;

/** One thing of every kind with ties between them; `word` stands in every text that can hold one. */
export async function plantEverything(call: Call, word: string): Promise<Belongings> {
  const make = async (name: string, input: object): Promise<number> =>
    Number((await call<{ id: number }>(name, input)).id);
  const said = (what: string): string => `${what} ${word}`;
  const project = await make('create_project', {
    name: said('shop'),
    description: said('a shop'),
    notes: said('notes'),
  });
  const second = await make('create_project', { name: said('barn'), description: said('a barn') });
  const document = await make('create_document', {
    title: said('Handbook'),
    description: said('how'),
    content: `# ${said('Operations')}\n\n${said('How we work.')}`,
    tags: [said('tag')],
    project_id: project,
  });
  const code_artifact = await make('create_code_artifact', {
    title: said('Retry'),
    description: said('retries'),
    code: `retry("${word}")`,
    language: 'python',
    project_id: project,
  });
  const file = await make('create_file', {
    filename: `${word}.txt`,
    description: said('the rack'),
    data: Buffer.from(said('bytes')).toString('base64'),
    mime_type: 'text/plain',
    project_id: project,
  });
  const skill = await make('create_skill', {
    name: `reset-${word}`,
    description: said('Reset the cache'),
    content: said('Do it.'),
    project_id: project,
  });
  const note = { context: said('why'), keywords: [said('key')], tags: [said('tag')], importance: 7 };
  const memory = await make('create_memory', {
    title: said('Cache'),
    content: said('caches are warm'),
    ...note,
    project_ids: [project],
    document_ids: [document],
    code_artifact_ids: [code_artifact],
    file_ids: [file],
    skill_ids: [skill],
  });
  const related = await make('create_memory', { title: said('Printer'), content: said('paper jams weekly'), ...note });
  await call('update_memory', { memory_id: related, content: said('paper jams daily') });
  await call('link_memories', { memory_id: memory, related_ids: [related] });
  await call('memory', {
    action: 'save',
    category: 'technical',
    key: `host_${word}`,
    value: said('Runner is build-3'),
  });
  await call('memory_save', { content: said('We deploy on Tuesdays'), project: said('shop'), type: 'decision' });
  const entity = await make('create_entity', {
    name: said('Cache server'),
    entity_type: 'Device',
    notes: said('in the cellar'),
    project_ids: [project],
  });
  const partner = await make('create_entity', { name: said('Ops'), entity_type: 'Team', aka: [said('SRE')] });
  await call('link_entity_to_memory', { entity_id: entity, memory_id: memory });
  await call('link_entity_to_file', { entity_id: entity, file_id: file });
  const relationship = await make('create_entity_relationship', {
    from_entity_id: partner,
    to_entity_id: entity,
    relationship_type: said('owns'),
  });
  for (const [kind, id] of Object.entries({ file, code_artifact, document })) {
    await call(`link_skill_to_${kind}`, { skill_id: skill, [`${kind}_id`]: id });
  }
  const plan = await make('create_plan', {
    title: said('Rebuild'),
    goal: said('goal'),
    project_id: project,
    status: 'active',
  });
  const task = await make('create_task', { title: said('Order'), description: said('parts'), plan_id: plan });
  const waiting = await make('create_task', { title: said('Mount'), plan_id: plan, dependency_ids: [task] });
  const criterion = await make('add_criterion', { task_id: task, description: said('they arrived') });
  await call('update_user_notes', { notes: said('likes') });
  await call('memory_recall', { prompt: said('when do we deploy on Tuesdays'), session: `session-${word}` });
  return {
    project,
    second,
    document,
    code_artifact,
    file,
    skill,
    memory,
    related,
    entity,
    partner,
    relationship,
    plan,
    task,
    waiting,
    criterion,
  };
}

/** Every row of every table, as `table` → set of JSON. Tables of the daemon itself, which are nobody's, are left out. */
export function everyRow(home: string, leftOut: RegExp = nobodys): Map<string, Set<string>> {
  const raw = new Sqlite(join(home, 'data', 'loci.db'), { readonly: true });
  try {
    const tables = raw
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'",
      )
      .all() as { name: string }[];
    const owned = tables.map(({ name }) => name).filter((name) => !leftOut.test(name));
    return new Map(
      owned.map((name) => {
        const rows = raw.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[];
        return [name, new Set(rows.map((row) => JSON.stringify(row, bytesAsText)))];
      }),
    );
  } finally {
    raw.close();
  }
}

const nobodys = /^(outbox|job_runs|store_facts|kysely_migration.*|search_words.*)$/;

function bytesAsText(_key: string, value: unknown): unknown {
  const bytes = value as { type?: string; data?: number[] } | null;
  return bytes?.type === 'Buffer'
    ? Buffer.from(bytes.data ?? [])
        .toString('base64')
        .slice(0, 60)
    : value;
}

/** Rows that were there and are gone or changed. */
export function lostRows(before: Map<string, Set<string>>, home: string): string[] {
  const now = everyRow(home);
  return [...before].flatMap(([table, rows]) =>
    [...rows].filter((row) => now.get(table)?.has(row) !== true).map((row) => `${table}: ${row.slice(0, 300)}`),
  );
}

/** Ties between things of two users; there must be none. */
export function crossedTies(home: string): string[] {
  const raw = new Sqlite(join(home, 'data', 'loci.db'), { readonly: true });
  try {
    return ties.flatMap(([name, query]) => {
      const rows = raw.prepare(query).all();
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`);
    });
  } finally {
    raw.close();
  }
}

const owner = (table: string, column: string): readonly [string, string] => [
  `${table}.${column}`,
  `SELECT x.* FROM ${table} x JOIN ${targetOf(column)} y ON y.id = x.${column} WHERE x.user_id <> y.user_id`,
];

function targetOf(column: string): string {
  if (/project/.test(column)) return 'projects';
  if (/plan/.test(column)) return 'plans';
  return /entity|source_id_e|target_id_e/.test(column) ? 'entities' : 'memories';
}

const kindTables: Readonly<Record<string, string>> = {
  memory: 'memories',
  project: 'projects',
  document: 'documents',
  code_artifact: 'code_artifacts',
  file: 'files',
  skill: 'skills',
  entity: 'entities',
};

const ties: readonly (readonly [string, string])[] = [
  owner('memories', 'primary_project_id'),
  owner('memories', 'superseded_by'),
  owner('documents', 'project_id'),
  owner('code_artifacts', 'project_id'),
  owner('files', 'project_id'),
  owner('skills', 'project_id'),
  owner('plans', 'project_id'),
  owner('tasks', 'plan_id'),
  owner('project_aliases', 'project_id'),
  owner('shown_memories', 'memory_id'),
  owner('injections', 'memory_id'),
  owner('taken_files', 'memory_id'),
  owner('compressed_files', 'memory_id'),
  owner('memory_links', 'source_id'),
  owner('memory_links', 'target_id'),
  [
    'memory_projects',
    'SELECT m.id, p.id AS project FROM memory_projects x JOIN memories m ON m.id = x.memory_id JOIN projects p ON p.id = x.project_id WHERE m.user_id <> p.user_id',
  ],
  ...['source_id', 'target_id'].map(
    (column) =>
      [
        `entity_relationships.${column}`,
        `SELECT x.* FROM entity_relationships x JOIN entities y ON y.id = x.${column} WHERE x.user_id <> y.user_id`,
      ] as const,
  ),
  [
    'task_dependencies',
    'SELECT x.* FROM task_dependencies x JOIN tasks a ON a.id = x.task_id JOIN tasks b ON b.id = x.depends_on_id WHERE a.user_id <> b.user_id',
  ],
  ...Object.entries(kindTables).flatMap(([kind, table]) =>
    (['from', 'to'] as const).map(
      (end) =>
        [
          `thing_links.${end}.${kind}`,
          `SELECT x.* FROM thing_links x JOIN ${table} y ON y.id = x.${end}_id WHERE x.${end}_kind = '${kind}' AND x.user_id <> y.user_id`,
        ] as const,
    ),
  ),
];

/** An id field of an operation → the kind of thing that it names, or null. */
export function kindOfField(contract: Contract, field: string): string | null {
  const base = field.replace(/_ids?$/, '');
  const known: Readonly<Record<string, string>> = {
    memory: 'memory',
    related: 'related',
    target: 'related',
    project: 'project',
    document: 'document',
    code_artifact: 'code_artifact',
    file: 'file',
    skill: 'skill',
    entity: 'entity',
    from_entity: 'entity',
    to_entity: 'partner',
    source_entity: 'entity',
    target_entity: 'partner',
    relationship: 'relationship',
    plan: 'plan',
    task: 'task',
    depends_on_task: 'waiting',
    dependency: 'waiting',
    criterion: 'criterion',
    superseded_by: 'related',
    supersedes: 'related',
  };
  if (/^memory_(?:merge|settle)$/.test(contract.name) && (field === 'from' || field === 'with')) return 'related';
  if (field !== 'id' && field !== 'ids') return known[base] ?? null;
  const aliases: Readonly<Record<string, string>> = {
    get_entity_relationships: 'entity',
    add_criterion: 'task',
    add_dependency: 'task',
    remove_dependency: 'task',
  };
  const meant = aliases[contract.name];
  if (meant !== undefined) return meant;
  const subject = [
    'criterion',
    'task',
    'plan',
    'relationship',
    'entity',
    'skill',
    'document',
    'code_artifact',
    'file',
    'project',
    'memory',
  ];
  return subject.find((kind) => contract.name.includes(kind)) ?? 'memory';
}

/** Inputs that name somebody's things: all fields at once, then each id field alone among one's own; with every optional field and without. */
export function inputsWith(
  contract: Contract,
  theirs: Belongings,
  mine: Belongings,
  words: { readonly query: string; readonly text: string; readonly project: string },
): Record<string, unknown>[] {
  const schema = inputSchemaOf(contract.input);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'idempotency_key');
  const required = new Set(schema.required ?? []);
  const idFields = fields.filter(([name]) => kindOfField(contract, name) !== null).map(([name]) => name);
  const build = (isTheirs: (field: string) => boolean, withOptional: boolean): Record<string, unknown> =>
    Object.fromEntries(
      fields
        .filter(([name]) => withOptional || required.has(name) || idFields.includes(name))
        .map(([name, field]) => [name, givenFor(contract, name, field, isTheirs(name) ? theirs : mine, words)])
        .filter(([, value]) => value !== undefined),
    );
  const choices: ((field: string) => boolean)[] = [
    () => true,
    ...idFields.map((only) => (field: string) => field === only),
    ...idFields.map((except) => (field: string) => field !== except),
  ];
  const inputs = choices.flatMap((choice) => [build(choice, false), build(choice, true)]);
  const eachAlone = idFields.map((only) => ({
    ...build(() => true, false),
    ...Object.fromEntries(
      idFields.filter((name) => name !== only && !required.has(name)).map((name) => [name, undefined]),
    ),
  }));
  const unique = new Map(
    [...inputs, ...eachAlone].map((input) => [JSON.stringify(input), JSON.parse(JSON.stringify(input))]),
  );
  return [...unique.values()];
}

function givenFor(
  contract: Contract,
  name: string,
  schema: JsonSchema,
  whose: Belongings,
  words: { readonly query: string; readonly text: string; readonly project: string },
): unknown {
  const kind = kindOfField(contract, name);
  if (kind !== null) {
    const id = whose[kind];
    return typesOf(schema).includes('array') ? [id] : id;
  }
  if (name === 'query' || name === 'prompt' || name === 'name') return words.query;
  if (name === 'project' || name === 'from' || name === 'into' || name === 'other' || name === 'alias') {
    return typesOf(schema).includes('string') ? words.project : exampleValue(name, schema);
  }
  if (name === 'include_obsolete' || name === 'include_archived' || name === 'include_entities' || name === 'explain')
    return true;
  if (name === 'dry_run') return false;
  if (name === 'limit' || name === 'k') return schema.maximum ?? 10;
  if (name === 'offset') return 0;
  if (name === 'depth') return 3;
  if (name === 'node_id') return `memory_${whose.memory}`;
  if (name === 'version' && typesOf(schema).includes('integer')) return 1;
  const isText =
    typesOf(schema).includes('string') &&
    schema.enum === undefined &&
    alternativesOf(schema).every((one) => one.enum === undefined);
  const isPlain =
    isText && schema.format === undefined && alternativesOf(schema).every((one) => one.format === undefined);
  if (isPlain && /title|content|description|notes|goal|context|reason|value|summary|problem|solution/.test(name))
    return words.text;
  return exampleValue(name, schema);
}

/** The store as one user calls it. */
export function callerOn(store: TestStore, userId: number, scopes: readonly string[]): Call {
  return async <Answer>(name: string, input: object = {}) =>
    store.call<Answer>(name, input, { userId, scopes, transport: 'mcp', agent: 'probe', session: `probe-${userId}` });
}
