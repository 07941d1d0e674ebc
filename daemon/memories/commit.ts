// The last step of every change in this room: commit, and in the same tick publish the vectors and announce the changes,
// so that the very next search finds what was just acknowledged.
import type { CallContext } from '#daemon/kernel/context.ts';
import { type ChangeRow, changeToEvent } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { MemoryDeps } from './deps.ts';

export type Committed<Answer> = {
  /** The operation's answer; recorded under the call's idempotency key in the same transaction. */
  readonly answer: Answer;
  readonly vectors: readonly VectorChange[];
  readonly log: readonly ChangeRow[];
};

/** Runs `change` in one write transaction. 'look again' rolls it back, for a caller that must start over. */
export async function commitChanges<Answer>(
  deps: Pick<MemoryDeps, 'database' | 'vectors' | 'events' | 'pending'>,
  context: CallContext,
  change: (trx: Trx) => Promise<Committed<Answer> | 'look again'>,
): Promise<Answer | 'look again'> {
  let committed: Committed<Answer> | null = null;
  try {
    await deps.database.write(context, async (trx) => {
      const result = await change(trx);
      if (result === 'look again') throw new LookAgain();
      committed = result;
      return result.answer;
    });
  } catch (error) {
    if (error instanceof LookAgain) return 'look again';
    throw error;
  }
  const { answer, vectors, log } = committed as unknown as Committed<Answer>;
  deps.vectors.publish(vectors);
  for (const row of log) deps.events.announce(changeToEvent(row));
  deps.pending.wake();
  return answer;
}

/** Leaves a transaction without a trace; never seen outside this file. */
class LookAgain extends Error {}
