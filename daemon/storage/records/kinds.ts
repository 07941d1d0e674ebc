// The kinds of an export in the order in which an import applies them: what is referred to stands before what refers to it.
import { type Field, flag, list, number, object, provenance, text, time } from './fields.ts';

export const recordKinds = [
  'project',
  'memory',
  'document',
  'code_artifact',
  'file',
  'skill',
  'entity',
  'relationship',
  'plan',
  'task',
  'dependency',
  'link',
] as const;

export type RecordKind = (typeof recordKinds)[number];
/** Kinds that have a row and a uid of their own; the others tie two of these together. */
export type RowKind = Exclude<RecordKind, 'dependency' | 'link'>;

export type KindTable =
  | 'projects'
  | 'memories'
  | 'documents'
  | 'code_artifacts'
  | 'files'
  | 'skills'
  | 'entities'
  | 'entity_relationships'
  | 'plans'
  | 'tasks';

export type KindRows = {
  readonly table: KindTable;
  /** Columns that are copied as they are; what refers to other rows, and what other tables hold, is read besides. */
  readonly fields: readonly Field[];
  /** Columns that refer to a row of another kind, by the word that holds its uid. */
  readonly refs: readonly { readonly word: string; readonly column: string; readonly kind: RowKind }[];
  /** Rows that are held in memory at a time while they are written out. */
  readonly pageRows: number;
};

const stamps = time('created_at', 'updated_at');
const inProject = [{ word: 'project', column: 'project_id', kind: 'project' }] as const;

export const kindRows: Readonly<Record<RowKind, KindRows>> = {
  project: {
    table: 'projects',
    fields: [
      ...text('name', 'description', 'project_type', 'status', 'repo_name', 'last_encoding_point', 'notes'),
      ...object('metadata'),
      ...provenance,
      ...stamps,
    ],
    refs: [],
    pageRows: 200,
  },
  memory: {
    table: 'memories',
    fields: [
      ...text('status', 'type', 'title', 'content', 'context', 'problem', 'solution'),
      ...list('concepts', 'tags', 'files'),
      ...text('category', 'key'),
      ...number('importance', 'confidence'),
      ...text('provenance', 'provenance_class', 'tier', 'source', 'source_context', 'source_repo', 'source_url'),
      ...text('encoding_agent', 'encoding_version', 'agent_id', 'agent_version', 'agent_model', 'agent', 'session'),
      ...number('sequence'),
      ...text('author', 'branch', 'worktree'),
      ...flag('pinned'),
      ...number('access_count'),
      ...time('last_accessed_at', 'occurred_at', 'valid_from', 'valid_to', 'expires_at'),
      ...text('obsolete_reason'),
      ...time('obsoleted_at'),
      ...object('metadata'),
      ...stamps,
    ],
    refs: [{ word: 'superseded_by', column: 'superseded_by', kind: 'memory' }],
    pageRows: 100,
  },
  document: {
    table: 'documents',
    fields: [
      ...text('title', 'description', 'document_type', 'filename', 'content'),
      ...list('tags'),
      ...provenance,
      ...stamps,
    ],
    refs: inProject,
    pageRows: 4,
  },
  code_artifact: {
    table: 'code_artifacts',
    fields: [
      ...text('title', 'description', 'language', 'framework', 'version', 'code'),
      ...list('tags'),
      ...provenance,
      ...stamps,
    ],
    refs: inProject,
    pageRows: 50,
  },
  file: {
    table: 'files',
    fields: [...text('filename', 'description', 'mime_type'), ...list('tags'), ...provenance, ...stamps],
    refs: inProject,
    pageRows: 1,
  },
  skill: {
    table: 'skills',
    fields: [
      ...text('name', 'description', 'license', 'compatibility', 'content'),
      ...list('allowed_tools', 'tags'),
      ...number('importance'),
      ...object('metadata'),
      ...provenance,
      ...stamps,
    ],
    refs: inProject,
    pageRows: 20,
  },
  entity: {
    table: 'entities',
    fields: [
      ...text('name', 'entity_type', 'custom_type', 'notes'),
      ...list('tags', 'aka'),
      ...object('metadata'),
      ...provenance,
      ...stamps,
    ],
    refs: [],
    pageRows: 100,
  },
  relationship: {
    table: 'entity_relationships',
    fields: [...text('relationship_type'), ...number('strength'), ...object('metadata'), ...provenance, ...stamps],
    refs: [
      { word: 'source', column: 'source_id', kind: 'entity' },
      { word: 'target', column: 'target_id', kind: 'entity' },
    ],
    pageRows: 200,
  },
  plan: {
    table: 'plans',
    fields: [...text('title', 'goal', 'context', 'status', 'external_ref'), ...object('provenance'), ...stamps],
    refs: inProject,
    pageRows: 200,
  },
  task: {
    table: 'tasks',
    fields: [
      ...text('title', 'description', 'state', 'priority', 'assigned_agent'),
      ...number('version'),
      ...time('lease_expires_at'),
      ...object('provenance'),
      ...stamps,
    ],
    refs: [{ word: 'plan', column: 'plan_id', kind: 'plan' }],
    pageRows: 100,
  },
};

export function isRowKind(kind: string): kind is RowKind {
  return Object.hasOwn(kindRows, kind);
}
