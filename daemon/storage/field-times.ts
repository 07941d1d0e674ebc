// When each field of a thing was last written, kept where a change is logged: the one place that every change passes, in its transaction.
// A time is that of the clock here, but later than every time that the thing has: a clock elsewhere may run ahead, and whoever changes a
// field after an import has seen what came with it, so the change must win over that, on both machines.

import { sql } from 'kysely';
import { decidedGroups, isTimedKind, restWord, type TimedKind, timesOf, timesToTell } from './records/field-words.ts';
import type { ExportRecord } from './records/fields.ts';
import { kindRows } from './records/kinds.ts';
import type { Trx } from './sqlite.ts';

/** A change as the log tells it. */
type Told = {
  readonly kind: string;
  readonly thingId: number;
  readonly action: string;
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** Fields that the log tells of under another name than the export. */
const words: Readonly<Record<string, string>> = { project_id: 'project', project_ids: 'projects', plan_id: 'plan' };

/** Notes which fields a change wrote. What an import merged brings its own times (`replaceFieldTimes`). */
export async function noteChange(trx: Trx, change: Told, nowMs: number): Promise<void> {
  if (change.action === 'merged') return;
  const written = writtenBy(change);
  if (written !== null) await noteFields(trx, written.kind, written.id, written.fields, nowMs);
}

/** Notes that fields of a thing were written now. Of those that go together the first one tells it for all (field-words.ts). */
export async function noteFields(
  trx: Trx,
  kind: TimedKind,
  id: number,
  fields: readonly string[],
  nowMs: number,
): Promise<void> {
  const leading = decidedGroups(kind).flatMap((group) => group.find((word) => fields.includes(word)) ?? []);
  const [first, ...others] = leading;
  if (first === undefined) return;
  // one statement, because a claim of a task is a race that many agents run
  const { rows } = await sql<{ written_at: number }>`
    INSERT INTO field_times (kind, thing_id, field, written_at)
    SELECT ${kind}, id, ${first}, max(max(${nowMs}, created_at + 1), coalesce(
      (SELECT max(written_at) + 1 FROM field_times WHERE kind = ${kind} AND thing_id = ${id}), 0))
    FROM ${sql.table(kindRows[kind].table)} WHERE id = ${id}
    ON CONFLICT (kind, thing_id, field) DO UPDATE SET written_at = excluded.written_at
    RETURNING written_at`.execute(trx);
  const written_at = rows[0]?.written_at;
  if (written_at === undefined || others.length === 0) return;
  await trx
    .insertInto('field_times')
    .values(others.map((field) => ({ kind, thing_id: id, field, written_at })))
    .onConflict((conflict) => conflict.columns(['kind', 'thing_id', 'field']).doUpdateSet({ written_at }))
    .execute();
}

/** Keeps the times that a record brings, in the place of those that the thing had. */
export async function replaceFieldTimes(trx: Trx, kind: TimedKind, id: number, record: ExportRecord): Promise<void> {
  await trx.deleteFrom('field_times').where('kind', '=', kind).where('thing_id', '=', id).execute();
  await keepFieldTimes(trx, kind, id, record);
}

/** The same of a thing that was just made. */
export async function keepFieldTimes(trx: Trx, kind: TimedKind, id: number, record: ExportRecord): Promise<void> {
  const told = timesToTell(timesOf(kind, record), String(record.created_at)) ?? {};
  const rows = Object.entries(told)
    .filter(([field, at]) => field !== restWord || at !== record.created_at)
    .map(([field, at]) => ({ kind, thing_id: id, field, written_at: Date.parse(at) }));
  if (rows.length > 0) await trx.insertInto('field_times').values(rows).execute();
}

/** The thing and its fields that a change wrote; null for a change of what has no times. */
function writtenBy({ kind, thingId, action, changes, metadata }: Told): {
  readonly kind: TimedKind;
  readonly id: number;
  readonly fields: readonly string[];
} | null {
  // what met a criterion is told by the criterion's own time
  if (kind === 'criterion') {
    const isListed = action !== 'updated' || Object.hasOwn(changes ?? {}, 'description');
    return isListed ? { kind: 'task', id: Number(metadata?.task_id), fields: ['criteria'] } : null;
  }
  if (kind === 'entity_project_link') return { kind: 'entity', id: Number(metadata?.entity_id), fields: ['projects'] };
  if (kind === 'task' && action === 'lease_renewed') return { kind, id: thingId, fields: ['lease_expires_at'] };
  const timed = kind === 'entity_relationship' ? 'relationship' : kind;
  if (!isTimedKind(timed) || changes === undefined) return null;
  return { kind: timed, id: thingId, fields: Object.keys(changes).map((field) => words[field] ?? field) };
}
