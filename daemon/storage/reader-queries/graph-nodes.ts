// What searches over all kinds show of their hits: the node of each, its projects, and the headings above the passage that was found.
import { nodesOf } from '../graph-rows.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-queries.ts';
import { projectIdsOf } from '../scope-groups.ts';

export const graphNodes: ReaderQuery<'graphNodes'> = (db, { userId, nowMs, keys }) => {
  const projects = prepared<[string, number], { projects: string }>(
    db,
    'SELECT projects FROM searchables WHERE kind = ? AND thing_id = ?',
  );
  return {
    nodes: nodesOf(db, keys, { userId, nowMs }).map((node) => ({
      ...node,
      projectIds: projectIdsOf(projects.get(node.kind, node.id)?.projects ?? ','),
      headings: null,
    })),
  };
};
