// What `how_to_use_tool` shows can be copied: every example of every tool is run, on a store that holds what it names.
import { cpSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { howToUseTool } from '#daemon/mcp/meta-tools.ts';
import { contracts } from '#shared/contract/index.ts';
import { buildExampleWorld, writeExampleFile } from '../../support/example-world.ts';
import { openFadingStore } from '../../support/fading-store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { TestStore } from '../../support/test-store.ts';

type Example = { tool_name: string; arguments: Record<string, unknown> };

const examplesOf = (name: string): Example[] =>
  howToUseTool({ contracts, scopes: ['*'] }, { tool_name: name }).examples as Example[];

let world: Awaited<ReturnType<typeof buildExampleWorld>>;
beforeAll(async () => {
  world = await buildExampleWorld();
});

/** The world anew, in a home of its own. */
async function openWorld(): Promise<TestStore> {
  const home = tempFolder();
  cpSync(world.home, home, { recursive: true });
  return openFadingStore({ home, clock: createFakeClock(world.nowMs), daemonEnv: { HOME: home } });
}

describe('the examples of how_to_use_tool', () => {
  it('K4 of every tool that reads are run and answered', async () => {
    const readers = await openWorld();
    for (const { name, hints } of contracts) if (hints.readOnly && !runElsewhere.has(name)) await run(readers, name);
  });

  it.each(contracts.filter(({ name, hints }) => !hints.readOnly && !runElsewhere.has(name)).map(({ name }) => name))(
    'of %s are run and answered',
    async (name) => {
      await run(await openWorld(), name);
    },
  );
});

/** Ids that exist only once something has run: they take the place of the example's own. */
const runtimeValues: Record<string, (store: TestStore) => Promise<object>> = {
  ...Object.fromEntries(
    ['run_import', 'get_import', 'cancel_import'].map((name) => [
      name,
      async ({ call }: TestStore) => ({ import_id: (await call('start_import')).import_id }),
    ]),
  ),
  revoke_token: async ({ call }) => ({ id_or_name: (await call('create_token', { name: 'ci' })).name }),
  restore_backup: async ({ call }) => ({ name: (await call('create_backup')).name }),
  verify_backup: async ({ call }) => ({ name: (await call('create_backup')).name }),
};
/** What needs another program that waits, bytes that were uploaded, or TCP: run by the tests of logins, imports and the page. */
const runElsewhere = new Set(['approve_login', 'run_import', 'open_page']);

async function run(store: TestStore, name: string): Promise<void> {
  const live = (await runtimeValues[name]?.(store)) ?? {};
  const examples = examplesOf(name);
  expect(examples.length, name).toBeGreaterThan(0);
  for (const { tool_name, arguments: given } of examples) {
    const input = Object.fromEntries(
      Object.entries(given).map(([field, value]) => [
        field,
        typeof value === 'string' && value.startsWith('/srv/') ? writeExampleFile(store.home, value) : value,
      ]),
    );
    const answer = await store.call(tool_name, { ...input, ...live }).catch((error: Error) => error);
    expect(answer, `${name} ${JSON.stringify(given)}`).not.toBeInstanceOf(Error);
  }
}
