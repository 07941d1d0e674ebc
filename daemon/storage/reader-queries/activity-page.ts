// A page of the log of changes. Filters that no index answers are looked for row by row, so this runs off the main thread.
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-query.ts';
import type { ChangeLogRow } from '../tables/store.ts';

export const activityPage: ReaderQuery<'activityPage'> = (db, { filter, limit, offset }) => {
  const conditions = ['user_id = @userId'];
  const values: Record<string, unknown> = { userId: filter.userId };
  const where = (condition: string, name: string, value: unknown): void => {
    if (value === null) return;
    conditions.push(condition);
    values[name] = value;
  };
  where('kind = @kind', 'kind', filter.kind);
  where('thing_id = @thingId', 'thingId', filter.thingId);
  where('actor = @actor', 'actor', filter.actor);
  where('actor_id = @actorId', 'actorId', filter.actorId);
  where('created_at >= @sinceMs', 'sinceMs', filter.sinceMs);
  where('created_at <= @untilMs', 'untilMs', filter.untilMs);
  if (filter.actions !== null) {
    const negation = filter.actions.without ? 'NOT ' : '';
    conditions.push(`action ${negation}IN (SELECT value FROM json_each(@actions))`);
    values.actions = JSON.stringify(filter.actions.words);
  }
  const from = `FROM change_log WHERE ${conditions.join(' AND ')}`;
  const rows = prepared<Record<string, unknown>, ChangeLogRow>(
    db,
    `SELECT * ${from} ORDER BY seq DESC LIMIT @limit OFFSET @offset`,
  ).all({ ...values, limit, offset });
  const total = prepared<Record<string, unknown>>(db, `SELECT count(*) ${from}`).pluck().get(values) as number;
  return { rows, total };
};
