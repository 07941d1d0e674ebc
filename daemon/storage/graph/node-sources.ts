// Where the nodes of the graph are kept: a table a kind, which of its columns a node shows, and how it belongs to a project.
// A new kind is an entry here and its ties in edge-sources.ts.

export type NodeSource = {
  readonly table: string;
  /** Column → name in the answer; expressions are on the table under the name `t`. */
  readonly columns: Readonly<Record<string, string>>;
  /** True for the rows that belong to the project `:projectId`. */
  readonly inProject: string;
  /** True for the rows that are shown; `:nowMs` is now. */
  readonly isShown?: string;
};

const ownProject = 't.project_id = :projectId';

export const nodeSources: Readonly<Record<string, NodeSource>> = {
  memory: {
    table: 'memories',
    // the text is needed where a title must be derived, and for a summary
    columns: {
      title: 't.title',
      content: 'substr(t.content, 1, 400)',
      importance: 't.importance',
      tags: 't.tags',
      type: 't.type',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: 'EXISTS (SELECT 1 FROM memory_projects p WHERE p.memory_id = t.id AND p.project_id = :projectId)',
    isShown: "t.status = 'active' AND (t.expires_at IS NULL OR t.expires_at > :nowMs)",
  },
  entity: {
    table: 'entities',
    columns: {
      name: 't.name',
      entity_type: 't.entity_type',
      custom_type: 't.custom_type',
      notes: 'substr(t.notes, 1, 400)',
      tags: 't.tags',
      aka: 't.aka',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: `EXISTS (SELECT 1 FROM thing_links l WHERE l.from_kind = 'entity' AND l.from_id = t.id
      AND l.to_kind = 'project' AND l.to_id = :projectId)`,
  },
  project: {
    table: 'projects',
    columns: {
      name: 't.name',
      project_type: 't.project_type',
      status: 't.status',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: 't.id = :projectId',
  },
  document: {
    table: 'documents',
    columns: {
      title: 't.title',
      description: 't.description',
      document_type: 't.document_type',
      tags: 't.tags',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: ownProject,
  },
  code_artifact: {
    table: 'code_artifacts',
    columns: {
      title: 't.title',
      description: 't.description',
      language: 't.language',
      tags: 't.tags',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: ownProject,
  },
  file: {
    table: 'files',
    columns: {
      filename: 't.filename',
      description: 't.description',
      mime_type: 't.mime_type',
      size_bytes: 't.size_bytes',
      tags: 't.tags',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: ownProject,
  },
  skill: {
    table: 'skills',
    columns: {
      name: 't.name',
      description: 't.description',
      importance: 't.importance',
      tags: 't.tags',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: ownProject,
  },
  plan: {
    table: 'plans',
    columns: {
      title: 't.title',
      status: 't.status',
      external_ref: 't.external_ref',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: ownProject,
  },
  task: {
    table: 'tasks',
    columns: {
      title: 't.title',
      state: 't.state',
      priority: 't.priority',
      assigned_agent: 't.assigned_agent',
      created_at: 't.created_at',
      updated_at: 't.updated_at',
    },
    inProject: 'EXISTS (SELECT 1 FROM plans p WHERE p.id = t.plan_id AND p.project_id = :projectId)',
  },
};
