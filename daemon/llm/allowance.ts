// How much may be asked of the language model, kept in the database: a daemon that restarts often must neither spend the day's
// tokens twice nor forget that the server has just refused it.
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Database } from '#daemon/storage/sqlite.ts';

export type Allowance = {
  /** Whether so many more tokens fit into the day, and the server has not refused lately. */
  allows(tokens: number): Promise<boolean>;
  spent(tokens: number): Promise<void>;
  /** Closes it for a minute (`short`) or an hour (`long`), twice as long each time in a row, a day at most. */
  refused(how: 'short' | 'long'): Promise<void>;
};

type State = { day: string; tokens: number; refusals: number; closedUntilMs: number };

const factKey = 'llm.allowance';
const firstPauseMs = { short: 60_000, long: 3_600_000 };
const longestPauseMs = 24 * 3_600_000;

export function createAllowance(
  { database, clock }: { database: Database; clock: Clock },
  { dailyTokens }: { dailyTokens: number },
): Allowance {
  return {
    async allows(tokens) {
      const state = await read();
      return clock.now() >= state.closedUntilMs && state.tokens + tokens <= dailyTokens;
    },
    async spent(tokens) {
      const state = await read();
      await write({ ...state, tokens: state.tokens + tokens, refusals: 0, closedUntilMs: 0 });
    },
    async refused(how) {
      const state = await read();
      const pauseMs = Math.min(longestPauseMs, firstPauseMs[how] * 2 ** state.refusals);
      await write({ ...state, refusals: state.refusals + 1, closedUntilMs: clock.now() + pauseMs });
    },
  };

  /** A new day begins with no token spent; a refusal outlasts midnight. */
  async function read(): Promise<State> {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const row = await database.db
      .selectFrom('store_facts')
      .select('value')
      .where('key', '=', factKey)
      .executeTakeFirst();
    const state: State =
      row === undefined ? { day, tokens: 0, refusals: 0, closedUntilMs: 0 } : (JSON.parse(row.value) as State);
    return state.day === day ? state : { ...state, day, tokens: 0 };
  }

  async function write(state: State): Promise<void> {
    const value = JSON.stringify(state);
    await database.write(internalContext, (trx) =>
      trx
        .insertInto('store_facts')
        .values({ key: factKey, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute(),
    );
  }
}
