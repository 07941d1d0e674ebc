// A vector index as the daemon has it: database, reader thread and LanceDB process, in a folder that the end of the test removes.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import { createVectors } from '#daemon/storage/vectors/create-vectors.ts';
import { atEnd } from './at-end.ts';
import { createFakeClock } from './fake-clock.ts';
import { tempFolder } from './temp-folder.ts';
import { openTestDatabase, scope, storeThings, type Thing, testModelId } from './vector-store.ts';

export const dimensions = 48;

export type OpenIndexOptions = {
  /** 0 makes LanceDB answer. */
  readonly exactLimit: number;
  /** A folder of an earlier index. */
  readonly folder?: string;
  readonly timeoutMs?: number;
};

export async function openIndex({ exactLimit, folder = tempFolder(), timeoutMs = 30_000 }: OpenIndexOptions) {
  const database = await openTestDatabase(folder);
  const clock = createFakeClock();
  const reader = createReader({ source: { file: join(folder, 'loci.db') }, logger: silentLogger });
  const processes: ChildProcess[] = [];
  const index = createVectors({
    database,
    reader,
    folder: join(folder, 'vectors'),
    model: () => ({ modelId: testModelId, dimensions }),
    clock,
    logger: silentLogger,
    exactLimit,
    timeoutMs,
    startProcess(program, argv, options) {
      const started = fork(program, argv, options);
      processes.push(started);
      return started;
    },
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await index.close();
    await reader.close();
    await database.close();
  };
  // registered after the folder's own, so it runs before the folder goes
  atEnd(close);

  return {
    database,
    index,
    folder,
    clock,
    /** LanceDB's processes, the present one last. */
    processes,
    /** Commits and publishes, as a save does. */
    async save(...things: Thing[]) {
      index.publish(await storeThings(database, things));
    },
    async nearest(vector: Float32Array, part: Parameters<typeof scope>[0] = {}, limit = 10) {
      return index.search({ vector, modelId: testModelId, filter: scope(part), limit });
    },
    async ids(vector: Float32Array, part: Parameters<typeof scope>[0] = {}, limit = 10) {
      const { hits } = await index.search({ vector, modelId: testModelId, filter: scope(part), limit });
      return hits.map(({ id }) => id);
    },
    /** Makes sure that in this mode it is LanceDB which answers, of flushed rows. */
    async settle() {
      await index.flush();
      const vector = new Float32Array(dimensions).fill(1);
      await index.search({ vector, modelId: testModelId, filter: scope(), limit: 1 });
      expect((await index.stats()).servedBy).toBe(exactLimit === 0 ? 'lance' : 'exact');
    },
    close,
  };
}
