// The log of changes, written in the transaction of the change: what a crash may not lose is here, not in an event.
// The caller announces the returned rows (`changeToEvent`) after its commit, never before, so that no listener
// hears of a change that was rolled back.
import type { Selectable } from 'kysely';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { ChangeEvent } from '#daemon/kernel/events.ts';
import { noteChange } from './field-times.ts';
import type { Db, Trx } from './sqlite.ts';
import type { ChangeLogTable } from './tables/store.ts';

export type Change = {
  /** `memory`, `project`, `entity`, … in the singular. */
  readonly kind: string;
  readonly thingId: number;
  /** In past tense: `created`, `updated`, `deleted`, `merged`, `archived`. */
  readonly action: string;
  readonly changes?: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
  /** The whole thing as it is now (or was, when deleted). */
  readonly snapshot?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type ChangeRow = Selectable<ChangeLogTable>;

/**
 * Appends one row for each change in order and answers them with their `seq`; the time is the clock's, the actor the context's.
 * Notes with it when the changed fields were written.
 */
export async function recordChanges(
  trx: Trx,
  context: CallContext,
  clock: Clock,
  changes: readonly Change[],
): Promise<ChangeRow[]> {
  const nowMs = clock.now();
  const rows: ChangeRow[] = [];
  for (const change of changes) {
    const row = changeToRow(change, context, nowMs);
    const { seq } = await trx.insertInto('change_log').values(row).returning('seq').executeTakeFirstOrThrow();
    rows.push({ seq, ...row });
    await noteChange(trx, change, nowMs);
  }
  return rows;
}

/** What subscribers hear of a committed change. */
export function changeToEvent(row: ChangeRow): ChangeEvent {
  return {
    seq: row.seq,
    userId: row.user_id,
    kind: row.kind,
    thingId: row.thing_id,
    action: row.action,
    name: `${row.kind}.${row.action}`,
  };
}

/** Blanks what the log says of an erased thing: that it was there and is gone stays, no text of it does. */
export async function eraseChangeTexts(trx: Trx, kind: string, thingId: number): Promise<void> {
  await trx
    .updateTable('change_log')
    .set({ changes: null, snapshot: null, metadata: '{}' })
    .where('kind', '=', kind)
    .where('thing_id', '=', thingId)
    .execute();
}

/** Rows that one small transaction drops. */
const prunedAtOnce = 1_000;

/** Drops the oldest rows from before a time, at most a thousand; answers how many. Rows are in the order of time. */
export async function pruneChanges(trx: Trx, beforeMs: number): Promise<number> {
  const oldest = await trx
    .selectFrom('change_log')
    .select(['seq', 'created_at'])
    .orderBy('seq')
    .limit(prunedAtOnce)
    .execute();
  const kept = oldest.findIndex((row) => row.created_at >= beforeMs);
  const last = (kept === -1 ? oldest : oldest.slice(0, kept)).at(-1);
  if (last === undefined) return 0;
  const { numDeletedRows } = await trx.deleteFrom('change_log').where('seq', '<=', last.seq).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The newest `seq` that was ever given, or 0. */
export async function newestSeq(db: Db): Promise<number> {
  const row = await db.selectFrom('change_log').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** The oldest `seq` that is still there, or null. */
export async function oldestSeq(db: Db): Promise<number | null> {
  const row = await db.selectFrom('change_log').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return row?.seq ?? null;
}

/** A user's changes after one `seq` up to another, oldest first. */
export async function changesBetween(
  db: Db,
  range: { readonly userId: number; readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<ChangeRow[]> {
  return db
    .selectFrom('change_log')
    .selectAll()
    .where('user_id', '=', range.userId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.upTo)
    .orderBy('seq')
    .limit(range.limit)
    .execute();
}

function changeToRow(change: Change, context: CallContext, nowMs: number): Omit<ChangeRow, 'seq'> {
  return {
    user_id: context.userId,
    kind: change.kind,
    thing_id: change.thingId,
    action: change.action,
    actor: context.transport === 'internal' ? 'system' : 'user',
    actor_id: context.agent,
    changes: change.changes === undefined ? null : JSON.stringify(change.changes),
    snapshot: change.snapshot === undefined ? null : JSON.stringify(change.snapshot),
    metadata: JSON.stringify(change.metadata ?? {}),
    created_at: nowMs,
  };
}
