// A page of memories by what they are, and how many there are of each kind. Counting reads every row of the user once, so the
// combinations that exist are counted together and kept until somebody writes; each facet is then a sum over a few hundred of them.
import type Sqlite from 'better-sqlite3';
import { ageBands } from '#shared/age-bands.ts';
import { prepared } from '../prepared.ts';
import type { FacetName, MemoryFilter } from '../reader.ts';
import type { ReaderDatabase, ReaderQuery } from '../reader-query.ts';
import { storeVersion } from './recent-answers.ts';

type Combination = Record<FacetName, string | null> & { readonly memories: number };
type Kept = { readonly version: string; readonly userId: number; readonly atMs: number; readonly rows: Combination[] };

const keptByDatabase = new WeakMap<Sqlite.Database, Kept>();

/** Ages move even where nobody writes. */
const keptForMs = 60_000;

const orders = {
  updated: 'm.updated_at DESC, m.id DESC',
  created: 'm.created_at DESC, m.id DESC',
  importance: 'm.importance DESC, m.updated_at DESC, m.id DESC',
} as const;

export const memoryList: ReaderQuery<'memoryList'> = (db, question) => {
  const { filter, sort, limit, offset, facets } = question;
  const { sql, parameters, isByStatus } = condition(filter);
  const ids = prepared(
    db,
    `SELECT m.id FROM memories m WHERE ${sql} ORDER BY ${orders[sort]} LIMIT :limit OFFSET :offset`,
  )
    .pluck()
    .all({ ...parameters, limit, offset }) as number[];
  // by status alone the counters know it
  const total = prepared(
    db,
    isByStatus
      ? `SELECT coalesce(sum(m.memories), 0) FROM memory_counts m WHERE ${sql}`
      : `SELECT count(*) FROM memories m WHERE ${sql}`,
  )
    .pluck()
    .get(parameters) as number;
  return { ids, total, facets: facets ? countFacets(combinations(db, filter), filter) : null };
};

/** `isByStatus`: nothing but user and status decides. */
function condition(filter: MemoryFilter) {
  const conditions = ['m.user_id = :userId'];
  const parameters: Record<string, string | number> = { userId: filter.userId };
  const where = (column: string, name: string, value: string | number | null): void => {
    if (value === null) return;
    conditions.push(`${column} :${name}`);
    parameters[name] = value;
  };
  where('m.status =', 'status', filter.status);
  where('m.type =', 'type', filter.type);
  where('m.tier =', 'tier', filter.tier);
  where('m.agent =', 'agent', filter.agent);
  where('m.primary_project_id =', 'projectId', filter.projectId);
  where('m.pinned =', 'pinned', filter.pinned === null ? null : Number(filter.pinned));
  where('m.created_at >=', 'sinceMs', filter.createdSinceMs);
  if (filter.age !== null) {
    const at = ageBands.findIndex(([name]) => name === filter.age);
    const [from, to] =
      at === -1 ? [ageBands.at(-1)?.[1] ?? null, null] : [ageBands[at - 1]?.[1] ?? null, ageBands[at]?.[1] ?? null];
    where('m.created_at <=', 'bandToMs', from === null ? null : filter.nowMs - from);
    where('m.created_at >', 'bandFromMs', to === null ? null : filter.nowMs - to);
  }
  const isByStatus = conditions.every((one) => /^m\.(user_id|status) /.test(one));
  return { sql: conditions.join(' AND '), parameters, isByStatus };
}

/** Every combination of kinds that a user's memories have, with how many have it. */
function combinations(db: ReaderDatabase, { userId, nowMs, pinned, createdSinceMs }: MemoryFilter): Combination[] {
  const version = storeVersion(db);
  const kept = keptByDatabase.get(db);
  const isPlain = pinned === null && createdSinceMs === null;
  const isFresh = kept?.version === version && kept.userId === userId && Math.abs(nowMs - kept.atMs) < keptForMs;
  if (isPlain && kept !== undefined && isFresh) return kept.rows;
  const band = ageBands
    .map(([name, endMs]) => `WHEN m.created_at > CAST(:nowMs AS BIGINT) - ${endMs} THEN '${name}'`)
    .join(' ');
  const rows = prepared<object, Combination>(
    db,
    `SELECT p.name AS project, g.* FROM (
       SELECT m.primary_project_id AS project_id, m.type, m.tier, m.status, m.agent,
              CASE ${band} ELSE 'older' END AS age, count(*) AS memories
         FROM memories m
        WHERE m.user_id = :userId AND (CAST(:pinned AS BIGINT) IS NULL OR m.pinned = :pinned) AND m.created_at >= :sinceMs
        GROUP BY 1, 2, 3, 4, 5, 6) g
     LEFT JOIN projects p ON p.id = g.project_id`,
  ).all({
    userId,
    nowMs,
    pinned: pinned === null ? null : Number(pinned),
    sinceMs: createdSinceMs ?? Number.MIN_SAFE_INTEGER,
  });
  if (isPlain) keptByDatabase.set(db, { version, userId, atMs: nowMs, rows });
  return rows;
}

const facetNames = ['project', 'type', 'tier', 'status', 'agent', 'age'] as const;

/** Most values that one facet names, the most frequent first. */
const maxValues = 50;

function countFacets(rows: readonly Combination[], filter: MemoryFilter) {
  const wanted: Record<FacetName, string | null> = { ...filter, project: filter.projectName };
  return Object.fromEntries(
    facetNames.map((name) => {
      const counts = new Map<string | null, number>();
      for (const row of rows) {
        if (facetNames.some((other) => other !== name && wanted[other] !== null && row[other] !== wanted[other]))
          continue;
        counts.set(row[name], (counts.get(row[name]) ?? 0) + row.memories);
      }
      const values = [...counts].map(([value, count]) => ({ value, count }));
      return [name, values.sort((a, b) => b.count - a.count).slice(0, maxValues)];
    }),
  ) as Record<FacetName, { value: string | null; count: number }[]>;
}
