// Many small changes at once share one commit. A durable commit waits for the disk, and sixteen agents that claim tasks would wait
// for it one behind the other; here whoever comes while the connection is busy goes into the next transaction together. Each change
// has a savepoint of its own, so that one that fails leaves no trace and takes nobody with it, and none is acknowledged before
// the commit: to its caller it is a transaction of its own. For short changes only: the first of a group waits for the last.
import { CompiledQuery } from 'kysely';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { recordAnswer } from './answers.ts';
import { insideTransaction } from './guarded-dialect.ts';
import type { Db, Trx } from './sqlite.ts';
import { sqliteProblem } from './sqlite-errors.ts';

export type WriteTogether = <T>(context: CallContext, change: (trx: Trx) => Promise<T>) => Promise<T>;

/** One change that waits for its turn; `attempt` throws only when the whole transaction is lost. */
type Queued = {
  attempt(trx: Trx): Promise<void>;
  /** After the commit. */
  settle(): void;
  fail(error: unknown): void;
};

const maxChanges = 64;
/** After so long no further change joins a group. */
const maxGroupMs = 20;

export type SharedWritesOptions = {
  /** What an error of the driver means to a caller. */
  readonly problem: (error: unknown) => unknown;
  /** Where other transactions of this process go through the same door. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};

const forSqlite: SharedWritesOptions = { problem: sqliteProblem, inTurn: (work) => work() };

export function createSharedWrites(db: Db, clock: Clock, options: SharedWritesOptions = forSqlite): WriteTogether {
  const queue: Queued[] = [];
  let isUnderWay = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const group: Queued[] = [];
      try {
        await options.inTurn(() =>
          db.transaction().execute((trx) => insideTransaction(() => runGroup(trx, queue, group))),
        );
        for (const one of group) one.settle();
      } catch (error) {
        // without a group not even the transaction could begin
        for (const one of group.length > 0 ? group : queue.splice(0)) one.fail(error);
      }
      await nextTurn();
    }
    isUnderWay = false;
  }

  return (context, change) =>
    new Promise((resolve, reject) => {
      queue.push(queued(change, context, clock, { resolve, reject: (error) => reject(options.problem(error)) }));
      if (isUnderWay) return;
      isUnderWay = true;
      void nextTurn().then(drain);
    });
}

/** SQLite answers in the same tick, so others come only when the event loop has gone round: it reads all sockets that have something. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function runGroup(trx: Trx, queue: Queued[], group: Queued[]): Promise<void> {
  const startedMs = performance.now();
  while (group.length < maxChanges && performance.now() - startedMs < maxGroupMs) {
    const next = queue.shift();
    if (next === undefined) return;
    group.push(next);
    await next.attempt(trx);
  }
}

type Caller<T> = { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void };

function queued<T>(
  change: (trx: Trx) => Promise<T>,
  context: CallContext,
  clock: Clock,
  { resolve, reject }: Caller<T>,
): Queued {
  let settle = (): void => undefined;
  const fail = reject;
  return {
    async attempt(trx) {
      await trx.executeQuery(savepoint);
      try {
        const answer = await change(trx);
        if (context.claim !== null) await recordAnswer(trx, context.claim, answer, clock.now());
        settle = () => resolve(answer);
      } catch (error) {
        settle = () => fail(error);
        // where SQLite has rolled everything back by itself there is no savepoint: then all of the group fails, with this error
        await trx.executeQuery(rollbackTo).catch(() => {
          throw error;
        });
      }
      await trx.executeQuery(release);
    },
    settle: () => settle(),
    fail,
  };
}

const savepoint = CompiledQuery.raw('SAVEPOINT change');
const rollbackTo = CompiledQuery.raw('ROLLBACK TO change');
const release = CompiledQuery.raw('RELEASE change');
