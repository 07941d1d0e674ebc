// Counts of active memories. The age bands use the decay of the contract (lifecycle, "Confidence, tier, decay"):
// decay = (0.5 ^ (days / half-life)) ^ (1 - confidence), days since the last access, else since the memory was learned.
import type Sqlite from 'better-sqlite3';
import { prepared } from '../prepared.ts';
import type { StatisticsRow } from '../reader.ts';
import type { ReaderQuery } from '../reader-query.ts';

const dayMs = 86_400_000;
const freshFrom = 0.7;
const lookAheadDays = 30;
const shownWeeks = 12;
const shownNext = 10;

type Counted = { name: string; memories: number };

export const statistics: ReaderQuery<'statistics'> = (db, argument) => {
  const { userId, projectId, nowMs, halfLifeDays, fadingBelow } = argument;
  const halfLifeMs = halfLifeDays * dayMs;
  const whole = `m.user_id = :userId AND (CAST(:projectId AS BIGINT) IS NULL OR EXISTS (
    SELECT 1 FROM memory_projects p WHERE p.memory_id = m.id AND p.project_id = :projectId))`;
  const scope = `m.status = 'active' AND ${whole}`;
  const counted = (sql: string): Counted[] => prepared<object, Counted>(db, sql).all({ userId, projectId });
  const by = (column: string): Record<string, number> =>
    Object.fromEntries(
      counted(
        `SELECT m.${column} AS name, COUNT(*) AS memories FROM memories m WHERE ${scope} GROUP BY 1 ORDER BY 2 DESC, 1`,
      ).map(({ name, memories }) => [name, memories]),
    );

  const decay = (atMs: string): string =>
    `POW(0.5, MAX(0, ${atMs} - COALESCE(m.last_accessed_at, m.created_at)) / :halfLifeMs * (1 - m.confidence))`;
  const ages = prepared<object, Record<'accesses' | 'fresh' | 'aging' | 'fading' | 'fadingIn30Days', number>>(
    db,
    `SELECT COALESCE(SUM(accesses), 0) AS accesses, COUNT(*) FILTER (WHERE now >= ${freshFrom}) AS fresh,
        COUNT(*) FILTER (WHERE now < ${freshFrom} AND now >= :fadingBelow) AS aging, COUNT(*) FILTER (WHERE now < :fadingBelow) AS fading,
        COUNT(*) FILTER (WHERE now >= :fadingBelow AND later < :fadingBelow) AS fadingIn30Days
      FROM (SELECT m.access_count AS accesses, ${decay(':nowMs')} AS now, ${decay(':laterMs')} AS later FROM memories m WHERE ${scope}) AS ages`,
  ).get({
    userId,
    projectId,
    nowMs,
    laterMs: nowMs + lookAheadDays * dayMs,
    halfLifeMs,
    fadingBelow,
  });
  const { accesses = 0, fresh = 0, aging = 0, fading = 0, fadingIn30Days = 0 } = ages ?? {};

  const statuses = counted(`SELECT m.status AS name, COUNT(*) AS memories FROM memories m WHERE ${whole} GROUP BY 1`);
  const inStatus = (status: string): number => statuses.find(({ name }) => name === status)?.memories ?? 0;

  return {
    byStatus: { active: inStatus('active'), archived: inStatus('archived'), obsolete: inStatus('obsolete') },
    byType: by('type'),
    byTier: by('tier'),
    byProject: counted(
      `SELECT name, memory_count AS memories FROM projects
        WHERE user_id = :userId AND (CAST(:projectId AS BIGINT) IS NULL OR id = :projectId) AND memory_count > 0 ORDER BY 2 DESC, 1`,
    ),
    accesses,
    ages: { fresh, aging, fading, fadingIn30Days },
    growth: growth(db, whole, argument),
    fadingNext: prepared<object, StatisticsRow['fadingNext'][number]>(
      db,
      `SELECT id, title, content, CAST(fadesAt AS BIGINT) AS fadesAtMs FROM (SELECT m.id, m.title, SUBSTR(m.content, 1, 400) AS content,
          COALESCE(m.last_accessed_at, m.created_at) + :spanMs / NULLIF(1 - m.confidence, 0) AS fadesAt FROM memories m WHERE ${scope}) AS ages
        WHERE fadesAt > :nowMs AND fadesAt <= :laterMs ORDER BY fadesAt, id LIMIT ${shownNext}`,
    ).all({
      userId,
      projectId,
      nowMs,
      laterMs: nowMs + lookAheadDays * dayMs,
      spanMs: halfLifeMs * Math.log2(1 / fadingBelow),
    }),
  };
};

/** Memories of any status by the week in which they were learned, weeks counted back from now. */
function growth(
  db: Sqlite.Database,
  whole: string,
  { userId, projectId, nowMs }: { userId: number; projectId: number | null; nowMs: number },
): StatisticsRow['growth'] {
  const weekMs = 7 * dayMs;
  const rows = prepared<object, { week: number; saved: number }>(
    db,
    `SELECT CAST((:nowMs - m.created_at) / ${weekMs} AS BIGINT) AS week, COUNT(*) AS saved FROM memories m
      WHERE ${whole} AND m.created_at > :nowMs - ${shownWeeks * weekMs} AND m.created_at <= :nowMs GROUP BY 1`,
  ).all({ userId, projectId, nowMs });
  return Array.from({ length: shownWeeks }, (_, index) => {
    const week = shownWeeks - 1 - index;
    return { fromMs: nowMs - (week + 1) * weekMs, saved: rows.find((row) => row.week === week)?.saved ?? 0 };
  });
}
