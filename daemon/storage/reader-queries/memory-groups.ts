// The memories that may be united or found to be duplicates, group by group, with their vectors. Only a memory whose every
// passage has a vector of its present text takes part: half a memory must not decide what becomes of the whole.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import { createGroupScan, createPace, type GroupScan, type GroupThing, type Pace } from '../vectors/group-scan.ts';

export type GroupScope = {
  /** A condition on `memories m`. */
  readonly where: string;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  readonly modelId: string;
  readonly dimensions: number;
};

/** Of one user: active, unpinned, no keyed fact, not past its expiry at `:nowMs`. */
export const openToUnion = `m.user_id = :userId AND m.status = 'active' AND m.pinned = 0 AND m.category IS NULL
  AND (m.expires_at IS NULL OR m.expires_at > :nowMs)`;

const pageRows = 500;

/** Calls `look` with each group of two or more, one after the other; a group is compared before the next is loaded. */
export async function eachGroup(
  db: Sqlite.Database,
  scope: GroupScope,
  look: (group: GroupScan, pace: Pace) => Promise<void>,
): Promise<void> {
  const groups = prepared<object, { projectId: number | null; type: string }>(
    db,
    `SELECT m.primary_project_id AS projectId, m.type AS type FROM memories m WHERE ${scope.where}
      GROUP BY 1, 2 HAVING COUNT(*) > 1 ORDER BY 1, 2`,
  ).all(scope.parameters);
  const scan = createGroupScan(scope.dimensions);
  const pace = createPace();
  for (const { projectId, type } of groups) {
    scan.load(await thingsOf(db, scope, { groupProjectId: projectId, groupType: type }, pace));
    if (scan.size() > 1) await look(scan, pace);
  }
}

type Row = { id: number; passage: number; blob: Buffer };

async function thingsOf(
  db: Sqlite.Database,
  scope: GroupScope,
  group: { groupProjectId: number | null; groupType: string },
  pace: Pace,
): Promise<GroupThing[]> {
  const page = prepared<object, Row>(
    db,
    `SELECT m.id AS id, v.passage AS passage, v.blob AS blob FROM memories m
      JOIN searchables s ON s.kind = 'memory' AND s.thing_id = m.id AND s.embedded = 1
      JOIN vectors v ON v.kind = 'memory' AND v.thing_id = m.id AND v.model_id = :modelId AND v.rev = s.rev
      WHERE ${scope.where} AND m.primary_project_id IS NOT DISTINCT FROM :groupProjectId AND m.type = :groupType
        AND (m.id, v.passage) > (:afterId, :afterPassage)
      ORDER BY m.id, v.passage LIMIT ${pageRows}`,
  );
  const things: { id: number; passages: Uint8Array[] }[] = [];
  let after = { afterId: 0, afterPassage: 0 };
  for (;;) {
    const rows = page.all({ ...scope.parameters, ...group, ...after, modelId: scope.modelId });
    for (const { id, blob } of rows) {
      const last = things.at(-1);
      if (last?.id === id) last.passages.push(blob);
      else things.push({ id, passages: [blob] });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return things;
    after = { afterId: last.id, afterPassage: last.passage };
    await pace.breathe();
  }
}
