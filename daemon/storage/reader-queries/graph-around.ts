// A walk from one thing outwards: one statement a level, each level's finds in the order of kind and id, until depth or room is used up.
// What was seen is never visited again, so a cycle ends by itself.
import type Sqlite from 'better-sqlite3';
import { neighbourStatements } from '../graph/edge-sources.ts';
import { edgesBetween, nodesOf, withNodes } from '../graph/graph-rows.ts';
import type { GraphAroundQuestion, NodeKey } from '../graph/graph-types.ts';
import { nodeSources } from '../graph/node-sources.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';

export const graphAround: ReaderQuery<'graphAround'> = (db, question) => {
  const { center, userId, nowMs } = question;
  const [found] = nodesOf(db, [center], { userId, nowMs, always: center });
  if (found === undefined) return null;
  const { depths, truncated } = walk(db, question);
  const rows = nodesOf(db, [...depths.values()], { userId, nowMs, always: center });
  const nodes = rows.map((row) => ({ ...row, depth: depths.get(nameOf(row))?.depth ?? 0 }));
  return { nodes, edges: edgesBetween(db, nodes), truncated };
};

type Visited = Map<string, NodeKey & { readonly depth: number }>;

function walk(db: Sqlite.Database, question: GraphAroundQuestion): { depths: Visited; truncated: boolean } {
  const { center, maxNodes, kinds } = question;
  const depths: Visited = new Map([[nameOf(center), { ...center, depth: 0 }]]);
  let frontier: readonly NodeKey[] = [center];
  for (let depth = 1; depth <= question.depth && frontier.length > 0; depth += 1) {
    const next = neighboursOf(db, frontier, { most: maxNodes + depths.size + 1, nowMs: question.nowMs })
      .filter((key) => kinds.includes(key.kind) && !depths.has(nameOf(key)))
      .sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id);
    const room = maxNodes - depths.size;
    for (const key of next.slice(0, room)) depths.set(nameOf(key), { ...key, depth });
    if (next.length > room) return { depths, truncated: true };
    frontier = next;
  }
  return { depths, truncated: false };
}

function neighboursOf(
  db: Sqlite.Database,
  frontier: readonly NodeKey[],
  given: { readonly most: number; readonly nowMs: number },
): NodeKey[] {
  const nodes = withNodes('frontier', frontier);
  const branches = neighbourStatements().map((branch) => `SELECT * FROM (${branch}) AS branch`);
  return prepared<object, NodeKey>(db, `${nodes.sql} ${branches.join(' UNION ')}`).all({
    frontier: nodes.json,
    ...given,
  });
}

const ranks = Object.keys(nodeSources);

function rankOf({ kind }: NodeKey): number {
  return ranks.indexOf(kind);
}

function nameOf({ kind, id }: NodeKey): string {
  return `${kind} ${id}`;
}
