// What searches over all kinds show of their hits: the node of each, its projects, and of a document where the passage stands that was found.
import type Sqlite from 'better-sqlite3';
import { nodesOf } from '../graph/graph-rows.ts';
import type { FoundNode, NodeKey, PassageKey } from '../graph/graph-types.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';
import { projectIdsOf } from '../vectors/scope-groups.ts';

/** Characters of a passage that are shown. */
const excerptLength = 400;

export const graphNodes: ReaderQuery<'graphNodes'> = (db, { userId, nowMs, keys }) => {
  const passages = new Map(keys.map((key) => [nameOf(key), key]));
  const nodes = nodesOf(db, keys, { userId, nowMs }).map((node): FoundNode => {
    const key = passages.get(nameOf(node));
    return { ...node, projectIds: projectsOf(db, node), place: key === undefined ? null : placeOf(db, key) };
  });
  return { nodes };
};

function projectsOf(db: Sqlite.Database, { kind, id }: NodeKey): number[] {
  const projects = prepared<[string, number], string>(
    db,
    'SELECT projects FROM searchables WHERE kind = ? AND thing_id = ?',
  )
    .pluck()
    .get(kind, id) as string | undefined;
  return projectIdsOf(projects ?? ',');
}

/** Null for kinds that keep no places, and while the background has not cut the text yet. */
function placeOf(db: Sqlite.Database, { kind, id, passage }: PassageKey): FoundNode['place'] {
  if (kind !== 'document' || passage === null) return null;
  const row = prepared<[number, number, number], { headings: string; excerpt: string }>(
    db,
    `SELECT p.headings, substr(d.content, CAST(p.start_at + 1 AS INTEGER), CAST(min(p.end_at - p.start_at, ?) AS INTEGER)) AS excerpt
      FROM document_passages p JOIN documents d ON d.id = p.document_id WHERE p.document_id = ? AND p.passage = ?`,
  ).get(excerptLength, id, passage);
  return row === undefined ? null : { headings: JSON.parse(row.headings) as string[], excerpt: row.excerpt };
}

function nameOf({ kind, id }: NodeKey): string {
  return `${kind} ${id}`;
}
