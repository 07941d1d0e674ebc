// Reading nodes by their ids, and every edge between them: what each question about the graph ends with.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import { edgeStatements, linkTypes, relationshipStatement } from './edge-sources.ts';
import type { EdgeRow, NodeKey, NodeRow } from './graph-types.ts';
import { type NodeSource, nodeSources } from './node-sources.ts';

type Columns = Record<string, string | number | null>;

/** Rows of a user's things in the order of `keys`, one query a kind; what is gone or hidden is left out, `always` excepted. */
export function nodesOf(
  db: Sqlite.Database,
  keys: readonly NodeKey[],
  given: { readonly userId: number; readonly nowMs: number; readonly always?: NodeKey },
): NodeRow[] {
  const rows = new Map<string, NodeRow>();
  for (const kind of new Set(keys.map((key) => key.kind))) {
    const source = nodeSources[kind];
    if (source === undefined) continue;
    const ids = keys.filter((key) => key.kind === kind).map((key) => key.id);
    const always = given.always?.kind === kind ? given.always.id : null;
    const shown = source.isShown === undefined ? '' : ` AND (t.id = :always OR (${source.isShown}))`;
    const statement = prepared<Columns, Columns & { id: number }>(
      db,
      `SELECT t.id, ${columnList(source)} FROM json_each(:ids) j CROSS JOIN ${source.table} t ON t.id = CAST(j.value AS BIGINT) WHERE t.user_id = :userId${shown}`,
    );
    const named = source.isShown === undefined ? {} : { always, nowMs: given.nowMs };
    for (const { id, ...columns } of statement.all({ ids: JSON.stringify(ids), userId: given.userId, ...named })) {
      rows.set(`${kind} ${id}`, { kind, id, columns });
    }
  }
  return keys.flatMap(({ kind, id }) => rows.get(`${kind} ${id}`) ?? []);
}

/** The columns of a kind's node as SQL. */
export function columnList(source: NodeSource): string {
  return Object.entries(source.columns)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ');
}

type Tie = { from_kind: string; from_id: number; to_kind: string; to_id: number; type: string | null };
type RelationshipColumns = Columns & { id: number; source_id: number; target_id: number };

/** Every edge between two of the nodes. */
export function edgesBetween(db: Sqlite.Database, keys: readonly NodeKey[]): EdgeRow[] {
  if (keys.length < 2) return [];
  const nodes = withNodes('n', keys);
  const ties = prepared<object, Tie>(db, `${nodes.sql} ${edgeStatements().join(' UNION ALL ')}`).all({
    n: nodes.json,
  });
  const relationships = prepared<object, RelationshipColumns>(db, `${nodes.sql} ${relationshipStatement}`).all({
    n: nodes.json,
  });
  return [...ties.flatMap(tieToEdge), ...relationships.map(relationshipToEdge)];
}

/** Keys as a table `name(kind, id, name)` for a statement, from the parameter of that name. */
export function withNodes(name: string, keys: readonly NodeKey[]): { sql: string; json: string } {
  return {
    sql: `WITH ${name}(kind, id, name) AS MATERIALIZED (SELECT substr(value, instr(value, '_') + 1),
      CAST(substr(value, 1, instr(value, '_') - 1) AS BIGINT),
      substr(value, instr(value, '_') + 1) || '_' || substr(value, 1, instr(value, '_') - 1) FROM json_each(:${name}))`,
    json: JSON.stringify(keys.map(({ kind, id }) => `${id}_${kind}`)),
  };
}

function tieToEdge({ from_kind, from_id, to_kind, to_id, type }: Tie): EdgeRow[] {
  const from = { kind: from_kind, id: from_id };
  const to = { kind: to_kind, id: to_id };
  if (type !== null) return [{ type, from, to }];
  const known = linkTypes[`${from_kind} ${to_kind}`];
  if (known === undefined) return [];
  return [known.flip === true ? { type: known.type, from: to, to: from } : { type: known.type, from, to }];
}

function relationshipToEdge({ source_id, target_id, ...columns }: RelationshipColumns): EdgeRow {
  return {
    type: 'entity_relationship',
    from: { kind: 'entity', id: source_id },
    to: { kind: 'entity', id: target_id },
    columns,
  };
}
