// A small registry for the tests of MCP: the real contracts over one real SQLite table, so that what was stored twice shows.

import { systemClock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { newUid } from '#daemon/kernel/ids.ts';
import { createInvoke, type Invoke } from '#daemon/kernel/invoke.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { createRegistry, type Registry } from '#daemon/kernel/registry.ts';
import { createAnswerStore } from '#daemon/storage/answers.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import { contracts } from '#shared/contract/index.ts';
import { memorySave, memorySearch } from '#shared/contract/lifecycle.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';

export type TestOperations = {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly database: Database;
  /** The contexts of the calls that reached a handler. */
  readonly contexts: CallContext[];
  stored(): Promise<string[]>;
};

/** What the MCP adapter is given beside `invoke` in every test. */
export const mcpDefaults = { contracts, logger: silentLogger, version, profile: 'default' } as const;

/** Every contract is registered; `memory_save` stores its content, `memory_search` answers by its query (see `search`), others are unavailable. */
export async function createTestOperations(file: string): Promise<TestOperations> {
  const database = await openDatabase({ file, clock: systemClock });
  const contexts: CallContext[] = [];
  const stored = async (): Promise<string[]> => {
    const rows = await database.db.selectFrom('store_facts').select('value').where('key', 'like', 'note:%').execute();
    return rows.map(({ value }) => value);
  };
  const save = implement(memorySave, async (input, context) => {
    contexts.push(context);
    return database.write(context, async (trx) => {
      await trx
        .insertInto('store_facts')
        .values({ key: `note:${newUid(Date.now())}`, value: input.content })
        .execute();
      const { n } = await trx
        .selectFrom('store_facts')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      return { id: n, outcome: 'created' as const, project: input.project ?? null, warnings: [] };
    });
  });
  const search = implement(memorySearch, async (input, context) => {
    contexts.push(context);
    await obey(input.query, context.signal);
    const [, megabytes] = /^big:(\d+)$/.exec(input.query) ?? [];
    return {
      results: [],
      related: [],
      depth: 1,
      mode: input.mode,
      degraded: [],
      took_ms: 1,
      hint: megabytes === undefined ? input.query : 'x'.repeat(Number(megabytes) * 2 ** 20),
    };
  });
  const own: readonly Operation[] = [save, search];
  const registry = createRegistry(
    contracts.map((contract) => own.find((one) => one.contract.name === contract.name) ?? notHere(contract)),
  );
  const answers = createAnswerStore(database, systemClock);
  return { registry, invoke: createInvoke({ registry, answers }), database, contexts, stored };
}

function notHere(contract: Operation['contract']): Operation {
  return implement(contract, async () => {
    throw new LociError('unavailable', `'${contract.name}' is no part of this test.`);
  });
}

/** `wait:500` waits half a second or for the abort, `throw` throws what no caller may see. */
async function obey(query: string, signal: AbortSignal | null): Promise<void> {
  if (query === 'throw') throw new Error('secret detail at /srv/loci/file.ts');
  const [, waitMs] = /^wait:(\d+)$/.exec(query) ?? [];
  if (waitMs === undefined) return;
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, Number(waitMs));
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
