// What ties things together, and in which table it stands. A level of a walk is one statement over all of these, each branch by an index;
// every branch ends when it has given what the walk can take, so that a project of a hundred thousand memories costs no more than one of two hundred.

/** A column of a kind's table that names one thing of another kind: `skills.project_id`. */
export type OwnerColumn = {
  readonly type: string;
  readonly kind: string;
  readonly table: string;
  readonly column: string;
  readonly ownerKind: string;
  /** The owner stands first in the edge: `plan_task`. */
  readonly ownerFirst?: boolean;
};

export const ownerColumns: readonly OwnerColumn[] = [
  { type: 'document_project', kind: 'document', table: 'documents', column: 'project_id', ownerKind: 'project' },
  {
    type: 'code_artifact_project',
    kind: 'code_artifact',
    table: 'code_artifacts',
    column: 'project_id',
    ownerKind: 'project',
  },
  { type: 'file_project', kind: 'file', table: 'files', column: 'project_id', ownerKind: 'project' },
  { type: 'skill_project', kind: 'skill', table: 'skills', column: 'project_id', ownerKind: 'project' },
  { type: 'plan_project', kind: 'plan', table: 'plans', column: 'project_id', ownerKind: 'project' },
  { type: 'plan_task', kind: 'task', table: 'tasks', column: 'plan_id', ownerKind: 'plan', ownerFirst: true },
];

/** Types of the links in `thing_links`, by the kinds as they stand there; `flip` where the edge goes the other way. */
export const linkTypes: Readonly<Record<string, { readonly type: string; readonly flip?: boolean }>> = {
  'entity memory': { type: 'entity_memory' },
  'entity project': { type: 'entity_project' },
  'entity file': { type: 'entity_file' },
  'memory document': { type: 'memory_document' },
  'memory code_artifact': { type: 'memory_code_artifact' },
  'memory file': { type: 'memory_file' },
  'skill memory': { type: 'memory_skill', flip: true },
  'skill file': { type: 'skill_file' },
  'skill code_artifact': { type: 'skill_code_artifact' },
  'skill document': { type: 'skill_document' },
};

/**
 * SELECTs of `kind, id`: what is next to the rows of `frontier(kind, id)`. Each gives `:most` different ones at most.
 * CROSS JOIN keeps the order: from the frontier outwards, never from a whole table back to it.
 */
export function neighbourStatements(): string[] {
  const memory = (id: string, from: string, kind: string): string =>
    `SELECT DISTINCT 'memory' AS kind, m.id AS id FROM frontier f ${from} CROSS JOIN memories m ON m.id = ${id}
      WHERE f.kind = '${kind}' AND ${isLive('m')} LIMIT :most`;
  const plain = (ofKind: string, id: string, from: string, kind: string): string =>
    `SELECT DISTINCT '${ofKind}' AS kind, ${id} AS id FROM frontier f ${from} WHERE f.kind = '${kind}' LIMIT :most`;
  const linked = (side: 'from' | 'to', other: 'from' | 'to'): string =>
    `SELECT DISTINCT l.${other}_kind AS kind, l.${other}_id AS id FROM frontier f
      CROSS JOIN thing_links l ON l.${side}_kind = f.kind AND l.${side}_id = f.id
      WHERE l.${other}_kind <> 'memory' OR EXISTS (SELECT 1 FROM memories m WHERE m.id = l.${other}_id AND ${isLive('m')})
      LIMIT :most`;
  return [
    memory('l.target_id', 'CROSS JOIN memory_links l ON l.source_id = f.id', 'memory'),
    memory('l.source_id', 'CROSS JOIN memory_links l ON l.target_id = f.id', 'memory'),
    plain('project', 'p.project_id', 'CROSS JOIN memory_projects p ON p.memory_id = f.id', 'memory'),
    memory('p.memory_id', 'CROSS JOIN memory_projects p ON p.project_id = f.id', 'project'),
    plain('entity', 'r.target_id', 'CROSS JOIN entity_relationships r ON r.source_id = f.id', 'entity'),
    plain('entity', 'r.source_id', 'CROSS JOIN entity_relationships r ON r.target_id = f.id', 'entity'),
    linked('from', 'to'),
    linked('to', 'from'),
    ...ownerColumns.flatMap(({ kind, table, column, ownerKind }) => [
      plain(ownerKind, `t.${column}`, `CROSS JOIN ${table} t ON t.id = f.id AND t.${column} IS NOT NULL`, kind),
      plain(kind, 't.id', `CROSS JOIN ${table} t ON t.${column} = f.id`, ownerKind),
    ]),
  ];
}

/**
 * SELECTs of `from_kind, from_id, to_kind, to_id, type`: every tie between two rows of `n(kind, id, name)` but relationships of entities.
 * `type` is null where the kinds tell it (`linkTypes`).
 */
export function edgeStatements(): string[] {
  return [
    `SELECT 'memory' AS from_kind, l.source_id AS from_id, 'memory' AS to_kind, l.target_id AS to_id, 'memory_link' AS type
      FROM n CROSS JOIN memory_links l ON l.source_id = n.id WHERE n.kind = 'memory' AND ${isIn("'memory'", 'l.target_id')}`,
    `SELECT 'memory', p.memory_id, 'project', p.project_id, 'memory_project'
      FROM n CROSS JOIN memory_projects p ON p.memory_id = n.id WHERE n.kind = 'memory' AND ${isIn("'project'", 'p.project_id')}`,
    `SELECT l.from_kind, l.from_id, l.to_kind, l.to_id, NULL
      FROM n CROSS JOIN thing_links l ON l.from_kind = n.kind AND l.from_id = n.id WHERE ${isIn('l.to_kind', 'l.to_id')}`,
    ...ownerColumns.map(({ type, kind, table, column, ownerKind, ownerFirst = false }) => {
      const own = `'${kind}', t.id`;
      const owner = `'${ownerKind}', t.${column}`;
      return `SELECT ${ownerFirst ? `${owner}, ${own}` : `${own}, ${owner}`}, '${type}'
        FROM n CROSS JOIN ${table} t ON t.id = n.id WHERE n.kind = '${kind}' AND ${isIn(`'${ownerKind}'`, `t.${column}`)}`;
    }),
  ];
}

/** Relationships between two entities of `n(kind, id, name)`, oldest first. */
export const relationshipStatement = `SELECT r.id, r.source_id, r.target_id, r.relationship_type, r.strength, r.confidence, r.metadata
  FROM n CROSS JOIN entity_relationships r ON r.source_id = n.id
  WHERE n.kind = 'entity' AND ${isIn("'entity'", 'r.target_id')} ORDER BY r.id`;

/** By its one name: a look-up by kind and id apart would be indexed by kind alone. */
function isIn(kind: string, id: string): string {
  return `(${kind} || '_' || ${id}) IN (SELECT name FROM n)`;
}

function isLive(alias: string): string {
  return `${alias}.status = 'active' AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > :nowMs)`;
}
