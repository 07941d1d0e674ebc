// Forgetful: its whole SQLite database, kind by kind. Rows are numbered in each installation anew, so what a row is known by begins with
// its user, whose id is a UUID of the installation.

import type { RecordKind } from '#daemon/storage/records/kinds.ts';
import { entityTypes } from '#shared/contract/knowledge/entities.ts';
import { planStatuses } from '#shared/contract/knowledge/plans.ts';
import { taskPriorities, taskStates } from '#shared/contract/knowledge/tasks.ts';
import { type ForeignDatabase, type ForeignRow, openForeign } from './foreign-database.ts';
import { each, isId, isSet, provenanceOf, saidIn, stampsOf, tiedIn, usersById } from './forgetful-rows.ts';
import { instantOf, metadataOf, numberOf, objectOf, textOf, textsOf } from './read-values.ts';
import type { Item, Reader, ReaderTools } from './reader.ts';

type Source = {
  readonly db: ForeignDatabase;
  readonly tools: ReaderTools;
  /** The uid of a row of the user of another row. */
  readonly uid: (kind: RecordKind, row: ForeignRow, id: unknown) => string;
  /** Ids on the right of an association table, by the id on its left. */
  readonly tied: (table: string, left: string, right: string) => Map<unknown, unknown[]>;
};

export const forgetfulReader: Reader = {
  source: 'forgetful',
  detects: ({ tables }) => tables?.includes('memories') === true && tables.includes('memory_project_association'),
  *read({ path }, tools): Generator<Item> {
    const db = openForeign(path);
    try {
      const source: Source = {
        db,
        tools,
        uid: (kind, row, id) => tools.uidFor(kind, String(row.user_id ?? ''), String(id)),
        tied: (table, left, right) => tiedIn(db, table, left, right),
      };
      yield* projects(source);
      yield* memories(source);
      yield* things(source);
      yield* entities(source);
      yield* plans(source);
      yield* links(source);
    } finally {
      db.close();
    }
  },
};

function* projects({ db, uid, tools }: Source): Generator<Item> {
  yield* each(db, 'projects', (row) => ({
    kind: 'project',
    uid: uid('project', row, row.id),
    name: textOf(row.name) ?? `project ${row.id}`,
    description: textOf(row.description) ?? '',
    project_type: textOf(row.project_type) ?? 'development',
    status: ['active', 'archived', 'completed'].includes(String(row.status)) ? row.status : 'active',
    repo_name: textOf(row.repo_name),
    last_encoding_point: textOf(row.last_encoding_point),
    notes: textOf(row.notes),
    ...provenanceOf(row),
    ...stampsOf(row, tools),
  }));
}

function* memories({ db, uid, tied, tools }: Source): Generator<Item> {
  const inProjects = tied('memory_project_association', 'memory_id', 'project_id');
  yield* each(db, 'memories', (row) => {
    const stamps = stampsOf(row, tools);
    const { source_files: files, confidence, ...from } = provenanceOf(row);
    return {
      kind: 'memory',
      uid: uid('memory', row, row.id),
      status: isSet(row.is_obsolete) ? 'obsolete' : 'active',
      type: 'fact',
      title: textOf(row.title),
      content: saidIn(row.content) ?? textOf(row.title) ?? textOf(row.content) ?? '',
      context: textOf(row.context),
      concepts: textsOf(row.keywords),
      tags: textsOf(row.tags),
      files,
      importance: Math.round(numberOf(row.importance, 1, 10) ?? 5),
      confidence: confidence ?? 0.5,
      provenance_class: 'import',
      ...from,
      obsolete_reason: textOf(row.obsolete_reason),
      obsoleted_at: instantOf(row.obsoleted_at),
      superseded_by:
        row.superseded_by === null || row.superseded_by === undefined ? null : uid('memory', row, row.superseded_by),
      access_count: Math.round(numberOf(row.access_count, 0, 1e9) ?? 0),
      last_accessed_at: instantOf(row.last_accessed_at),
      projects: (inProjects.get(row.id) ?? []).map((id) => uid('project', row, id)),
      occurred_at: stamps.created_at,
      ...stamps,
    };
  });
}

function* things({ db, uid, tools }: Source): Generator<Item> {
  const common = (kind: RecordKind, row: ForeignRow) => ({
    kind,
    uid: uid(kind, row, row.id),
    description: textOf(row.description) ?? '',
    tags: textsOf(row.tags),
    project: isId(row.project_id) ? uid('project', row, row.project_id) : null,
    ...provenanceOf(row),
    ...stampsOf(row, tools),
  });
  yield* each(db, 'documents', (row) => ({
    ...common('document', row),
    title: textOf(row.title) ?? `document ${row.id}`,
    document_type: textOf(row.document_type) ?? 'text',
    filename: textOf(row.filename),
    content: textOf(row.content) ?? '',
  }));
  yield* each(db, 'code_artifacts', (row) => ({
    ...common('code_artifact', row),
    title: textOf(row.title) ?? `code artifact ${row.id}`,
    language: textOf(row.language) ?? 'text',
    code: textOf(row.code) ?? '',
  }));
  yield* each(db, 'files', (row) => ({
    ...common('file', row),
    filename: textOf(row.filename) ?? `file ${row.id}`,
    mime_type: textOf(row.mime_type) ?? 'application/octet-stream',
    data: Buffer.isBuffer(row.data) ? row.data.toString('base64') : '',
  }));
  yield* each(db, 'skills', (row) => ({
    ...common('skill', row),
    name: textOf(row.name) ?? `skill-${row.id}`,
    description: textOf(row.description) ?? textOf(row.name) ?? '',
    content: textOf(row.content) ?? '',
    license: textOf(row.license),
    compatibility: textOf(row.compatibility),
    allowed_tools: textsOf(row.allowed_tools),
    metadata: metadataOf(objectOf(row.skill_metadata)),
    importance: Math.round(numberOf(row.importance, 1, 10) ?? 7),
  }));
}

function* entities({ db, uid, tied, tools }: Source): Generator<Item> {
  const inProjects = tied('entity_project_association', 'entity_id', 'project_id');
  yield* each(db, 'entities', (row) => {
    const type = entityTypes.find((one) => one.toLowerCase() === String(row.entity_type).toLowerCase()) ?? 'Other';
    return {
      kind: 'entity',
      uid: uid('entity', row, row.id),
      name: textOf(row.name) ?? `entity ${row.id}`,
      entity_type: type,
      custom_type: type === 'Other' ? (textOf(row.custom_type) ?? textOf(row.entity_type) ?? 'unknown') : null,
      notes: textOf(row.notes),
      tags: textsOf(row.tags),
      aka: textsOf(row.aka),
      projects: (inProjects.get(row.id) ?? []).map((id) => uid('project', row, id)).sort(),
      ...provenanceOf(row),
      ...stampsOf(row, tools),
    };
  });
  yield* each(db, 'entity_relationships', (row) => ({
    kind: 'relationship',
    uid: uid('relationship', row, row.id),
    source: uid('entity', row, row.source_entity_id),
    target: uid('entity', row, row.target_entity_id),
    relationship_type: textOf(row.relationship_type) ?? 'related_to',
    strength: numberOf(row.strength, 0, 1),
    metadata: metadataOf(objectOf(row.relationship_metadata)),
    ...provenanceOf(row),
    ...stampsOf(row, tools),
  }));
}

function* plans({ db, uid, tools }: Source): Generator<Item> {
  yield* each(db, 'plans', (row) => ({
    kind: 'plan',
    uid: uid('plan', row, row.id),
    project: uid('project', row, row.project_id),
    title: textOf(row.title) ?? `plan ${row.id}`,
    goal: textOf(row.goal),
    context: textOf(row.context),
    status: planStatuses.find((status) => status === row.status) ?? 'draft',
    external_ref: textOf(row.external_ref),
    provenance: provenanceOf(row),
    ...stampsOf(row, tools),
  }));
  const criteria = criteriaByTask(db, tools);
  yield* each(db, 'tasks', (row) => ({
    kind: 'task',
    uid: uid('task', row, row.id),
    plan: uid('plan', row, row.plan_id),
    title: textOf(row.title) ?? `task ${row.id}`,
    description: textOf(row.description),
    state: taskStates.find((state) => state === row.state) ?? 'todo',
    priority: taskPriorities.find((priority) => priority === row.priority) ?? 'P2',
    assigned_agent: textOf(row.assigned_agent),
    version: Math.max(1, Math.round(numberOf(row.version, 1, 1e9) ?? 1)),
    provenance: provenanceOf(row),
    criteria: criteria.get(row.id) ?? [],
    ...stampsOf(row, tools),
  }));
  yield* each(db, 'task_dependencies', (row) => ({
    kind: 'dependency',
    task: uid('task', row, row.task_id),
    depends_on: uid('task', row, row.depends_on_task_id),
    created_at: instantOf(row.created_at) ?? tools.nowIso,
  }));
}

function criteriaByTask(db: ForeignDatabase, tools: ReaderTools): Map<unknown, object[]> {
  const criteria = new Map<unknown, object[]>();
  for (const found of db.rows('criteria')) {
    if ('problem' in found) continue;
    const { row } = found;
    const criterion = {
      description: textOf(row.description) ?? `criterion ${row.id}`,
      met: isSet(row.met),
      met_at: instantOf(row.met_at),
      ...stampsOf(row, tools),
    };
    criteria.set(row.task_id, [...(criteria.get(row.task_id) ?? []), criterion]);
  }
  return criteria;
}

/** Association tables: kind and column of either end. Their rows name no user; both ends have the one of the memory or skill. */
const associations = [
  ['memory_code_artifact_association', 'memory', 'code_artifact'],
  ['memory_document_association', 'memory', 'document'],
  ['memory_file_association', 'memory', 'file'],
  ['memory_skill_association', 'memory', 'skill'],
  ['memory_entity_association', 'memory', 'entity'],
  ['entity_file_association', 'entity', 'file'],
  ['skill_file_association', 'skill', 'file'],
  ['skill_code_artifact_association', 'skill', 'code_artifact'],
  ['skill_document_association', 'skill', 'document'],
] as const;

function* links({ db, uid, tools }: Source): Generator<Item> {
  yield* each(db, 'memory_links', (row) => ({
    kind: 'link',
    from: { kind: 'memory', uid: uid('memory', row, row.source_id) },
    to: { kind: 'memory', uid: uid('memory', row, row.target_id) },
    origin: 'manual',
    created_at: instantOf(row.created_at) ?? tools.nowIso,
  }));
  const tables = { memory: 'memories', entity: 'entities', skill: 'skills' } as const;
  for (const [table, from, to] of associations) {
    const users = usersById(db, tables[from]);
    yield* each(db, table, (row) => {
      const owner = { user_id: users.get(row[`${from}_id`]) };
      return {
        kind: 'link',
        from: { kind: from, uid: uid(from, owner, row[`${from}_id`]) },
        to: { kind: to, uid: uid(to, owner, row[`${to}_id`]) },
        created_at: tools.nowIso,
      };
    });
  }
}
