// Homes that hold memories already. They are made by the store itself, through its operations, with a quick embedder in place of
// the model, and kept in the temporary folder: what they hold depends on nothing but the versions below.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { createEvents } from '#daemon/kernel/events.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { schemaVersion } from '#daemon/storage/migrate.ts';
import { createStoreDoor, type StoreDoor } from '#daemon/store-door.ts';
import { contractByName } from '#shared/contract/index.ts';
import { resolvePaths } from '#shared/paths.ts';
import { readSettings } from '#shared/read-settings.ts';
import { createDeveloperTexts } from './developer-texts.ts';
import { createQuickEmbedder } from './quick-embedder.ts';

/** Moves with the texts, the quick embedder, or what a filled home must hold. */
const fixtureVersion = 2;
const batchSize = 500;

/** Copies a home with so many memories to `home`; makes it first where this machine has none. */
export async function copyFilledHome(memories: number, home: string, say: (sentence: string) => void): Promise<void> {
  const kept = keptHome(String(memories));
  if (!existsSync(kept)) {
    say(`making a store of ${memories} memories`);
    const unfinished = `${kept}.${process.pid}`;
    await fillHome(memories, unfinished);
    renameSync(unfinished, kept);
  }
  cpSync(kept, home, { recursive: true });
}

/** Where a home of that name is kept for the next run. */
export function keptHome(name: string): string {
  return join(tmpdir(), `loci-bench-homes-${userInfo().uid}`, `v${fixtureVersion}.${schemaVersion}-${name}`);
}

/** The store of a home, with a quick embedder in place of the model. */
export async function openFixtureStore(home: string): Promise<StoreDoor> {
  const paths = resolvePaths({ LOCI_HOME: home });
  mkdirSync(paths.data, { recursive: true, mode: 0o700 });
  const store = createStoreDoor({
    paths,
    settings: readSettings({ file: null, env: {}, flags: {} }),
    clock: systemClock,
    events: createEvents(silentLogger),
    logger: silentLogger,
    startedAtMs: Date.now(),
    env: {},
    port: () => null,
    embedder: quickEmbedder(),
  });
  await store.ready();
  return store;
}

async function fillHome(memories: number, home: string): Promise<void> {
  rmSync(home, { recursive: true, force: true });
  const store = await openFixtureStore(home);
  const texts = createDeveloperTexts(memories);
  for (let done = 0; done < memories; done += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, memories - done) }, () => ({
      ...texts.memory(),
      on_duplicate: 'keep',
      provenance: 'save',
    }));
    await askStore(store, 'memory_save_many', { memories: batch, atomic: true });
  }
  // as a night would leave it: everything in the vector table, compacted and indexed
  await askStore(store, 'run_job', { name: 'optimise' });
  await store.close();
}

function quickEmbedder() {
  return createQuickEmbedder(createBundledEmbedder({ clock: systemClock, logger: silentLogger }));
}

/** Calls an operation past the door: the input must be as its contract parses it. */
export async function askStore(store: StoreDoor, operation: string, input: object): Promise<unknown> {
  const contract = contractByName(operation);
  if (contract === undefined) throw new Error(`no operation is named ${operation}`);
  return store.operation(contract).handle(input as never, internalContext);
}
