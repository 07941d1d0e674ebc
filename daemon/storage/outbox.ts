// One row for each thing whose vectors LanceDB does not have yet, written in the transaction of the change, so that nothing is forgotten
// by a crash. A row is cleared only as it was read: what changed in between stays for the next round.
import type { Db, Trx } from './sqlite.ts';
import type { OutboxTable } from './tables/searchables.ts';

export type OutboxKey = { readonly kind: string; readonly id: number; readonly rev: number };

const pageEntries = 2_000;

export type OutboxEntry = OutboxKey & { readonly enqueuedAtMs: number };

/** Marks things for LanceDB; once for each change of their vectors or filter keys, and when they are erased. */
export async function enqueue(trx: Trx, keys: readonly OutboxKey[], nowMs: number): Promise<void> {
  for (const { kind, id, rev } of keys) {
    await trx
      .insertInto('outbox')
      .values({ kind, thing_id: id, rev, enqueued_at: nowMs })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'thing_id']).doUpdateSet((old) => ({
          rev: old.fn('max', ['outbox.rev', 'excluded.rev']),
          // grows with each call, so that later passages of the same rev are not cleared with the first
          enqueued_at: old.fn('max', [old('outbox.enqueued_at', '+', 1), 'excluded.enqueued_at']),
        })),
      )
      .execute();
  }
}

/** At most `limit` entries, in no order that matters. */
export async function nextEntries(db: Db, limit: number): Promise<OutboxEntry[]> {
  return (await db.selectFrom('outbox').selectAll().limit(limit).execute()).map(rowToEntry);
}

/** Every entry there is, read a page at a time with a turn of the event loop between. */
export async function allEntries(db: Db): Promise<OutboxEntry[]> {
  const entries: OutboxEntry[] = [];
  for (;;) {
    const last = entries.at(-1);
    let page = db.selectFrom('outbox').selectAll().orderBy('kind').orderBy('thing_id').limit(pageEntries);
    if (last !== undefined) {
      page = page.where(({ eb, refTuple, tuple }) => eb(refTuple('kind', 'thing_id'), '>', tuple(last.kind, last.id)));
    }
    const rows = await page.execute();
    entries.push(...rows.map(rowToEntry));
    if (rows.length < pageEntries) return entries;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Removes entries that are still as they were read. */
export async function clearEntries(trx: Trx, entries: readonly OutboxEntry[]): Promise<void> {
  for (const { kind, id, rev, enqueuedAtMs } of entries) {
    await trx
      .deleteFrom('outbox')
      .where('kind', '=', kind)
      .where('thing_id', '=', id)
      .where('rev', '=', rev)
      .where('enqueued_at', '=', enqueuedAtMs)
      .execute();
  }
}

function rowToEntry({ kind, thing_id, rev, enqueued_at }: OutboxTable): OutboxEntry {
  return { kind, id: thing_id, rev, enqueuedAtMs: enqueued_at };
}
