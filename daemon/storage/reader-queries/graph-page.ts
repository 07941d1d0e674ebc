// The graph a page of memories at a time; the other kinds come with every page, as many as there is room for, the newest first.
import type Sqlite from 'better-sqlite3';
import { columnList, edgesBetween } from '../graph/graph-rows.ts';
import type { GraphPageQuestion, NodeRow } from '../graph/graph-types.ts';
import { nodeSources } from '../graph/node-sources.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

export const graphPage: ReaderQuery<'graphPage'> = (db, question) => {
  const { kinds, maxNodes } = question;
  const withMemories = kinds.includes('memory');
  const nodes = withMemories ? memoriesOf(db, question) : [];
  let truncated = false;
  for (const kind of Object.keys(nodeSources)) {
    if (kind === 'memory' || !kinds.includes(kind)) continue;
    const room = maxNodes - nodes.length;
    const rows = rowsOf(db, kind, question, { order: 't.id DESC', limit: room + 1, offset: 0 });
    truncated ||= rows.length > room;
    nodes.push(...rows.slice(0, room));
  }
  const memories = withMemories ? countMemories(db, question) : 0;
  return { nodes, edges: edgesBetween(db, nodes), memories, truncated };
};

function memoriesOf(db: Sqlite.Database, question: GraphPageQuestion): NodeRow[] {
  const direction = question.ascending ? 'ASC' : 'DESC';
  const { limit, offset } = question;
  return rowsOf(db, 'memory', question, {
    order: `t.${question.sortBy} ${direction}, t.id ${direction}`,
    limit,
    offset,
  });
}

function rowsOf(
  db: Sqlite.Database,
  kind: string,
  question: GraphPageQuestion,
  { order, limit, offset }: { readonly order: string; readonly limit: number; readonly offset: number },
): NodeRow[] {
  const source = nodeSources[kind];
  if (source === undefined || limit < 1) return [];
  const { where, parameters } = scopeOf(kind, question);
  const rows = prepared<object, Record<string, string | number | null> & { id: number }>(
    db,
    `SELECT t.id, ${columnList(source)} FROM ${source.table} t WHERE ${where} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
  ).all({ ...parameters, limit, offset });
  return rows.map(({ id, ...columns }) => ({ kind, id, columns }));
}

/** All live memories from the counters that every write keeps, less the expired; those of a project are counted. */
function countMemories(db: Sqlite.Database, question: GraphPageQuestion): number {
  const { userId, nowMs, projectId } = question;
  if (projectId !== null) {
    const { where, parameters } = scopeOf('memory', question);
    return count(db, `SELECT count(*) FROM memories t WHERE ${where}`, parameters);
  }
  const active = count(
    db,
    "SELECT coalesce(sum(memories), 0) FROM memory_counts WHERE user_id = :userId AND status = 'active'",
    { userId },
  );
  const expired = count(
    db,
    "SELECT count(*) FROM memories WHERE expires_at <= :nowMs AND user_id = :userId AND status = 'active'",
    { nowMs, userId },
  );
  return active - expired;
}

function scopeOf(kind: string, { userId, projectId, nowMs }: GraphPageQuestion) {
  const source = nodeSources[kind];
  const conditions = ['t.user_id = :userId'];
  const parameters: Record<string, number> = { userId };
  if (source?.isShown !== undefined) {
    conditions.push(source.isShown);
    parameters.nowMs = nowMs;
  }
  if (source !== undefined && projectId !== null) {
    conditions.push(source.inProject);
    parameters.projectId = projectId;
  }
  return { where: conditions.join(' AND '), parameters };
}

function count(db: Sqlite.Database, sql: string, parameters: object): number {
  return prepared(db, sql).pluck().get(parameters) as number;
}
