import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dimensions, openIndex } from '../../support/open-vector-index.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { createVectorSource, eraseThing, type Thing } from '../../support/vector-store.ts';

const next = createVectorSource(dimensions);
const things = Array.from({ length: 40 }, (_, at): Thing => ({ id: at + 1, vectors: [next()] }));
const query = things[6]?.vectors[0] as Float32Array;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Saves, flushes and stops: what the next start finds on disk. */
async function earlierLife(): Promise<string> {
  const { folder, save, settle, close } = await openIndex({ exactLimit: 0 });
  await save(...things);
  await settle();
  await close();
  return folder;
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not become true in 5 s');
}

describe('a LanceDB folder that something happened to', () => {
  it.each([
    { damage: 'is deleted', apply: (vectors: string) => rmSync(vectors, { recursive: true }) },
    {
      damage: 'lost the ends of its data files',
      apply: (vectors: string) => {
        for (const file of filesBelow(vectors)) if (file.endsWith('.lance')) truncateSync(file, 10);
      },
    },
    {
      damage: 'has garbage for manifests',
      apply: (vectors: string) => {
        for (const file of filesBelow(vectors)) if (file.includes('_versions')) writeFileSync(file, 'garbage');
      },
    },
    {
      damage: 'lost its data files',
      apply: (vectors: string) => {
        for (const file of filesBelow(vectors)) if (file.endsWith('.lance')) rmSync(file);
      },
    },
    {
      damage: 'is a file',
      apply: (vectors: string) => {
        rmSync(vectors, { recursive: true });
        writeFileSync(vectors, 'not a folder');
      },
    },
  ])('searches right and builds itself again when it $damage', async ({ apply }) => {
    const folder = await earlierLife();
    apply(join(folder, 'vectors'));
    const { index, ids } = await openIndex({ exactLimit: 0, folder });
    expect(await ids(query, {}, 1)).toEqual([7]);
    await waitUntil(async () => (await index.stats()).servedBy === 'lance');
    expect(await ids(query, {}, 1)).toEqual([7]);
    expect(await ids(query, {}, 100)).toHaveLength(40);
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
    expect(index.state()).toEqual({ status: 'ok' });
    expect(readdirSync(folder)).not.toContain('vectors.aside');
  });

  it('is damaged while it serves, and the same searches go on', async () => {
    const { index, folder, save, settle, ids } = await openIndex({ exactLimit: 0 });
    await save(...things);
    await settle();
    rmSync(join(folder, 'vectors'), { recursive: true });
    expect(await Promise.all(Array.from({ length: 8 }, () => ids(query, {}, 1)))).toEqual(Array(8).fill([7]));
    await save({ id: 99, vectors: [next()] });
    await index.flush();
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
    await waitUntil(async () => (await index.stats()).servedBy === 'lance');
    expect(await ids(query, {}, 100)).toHaveLength(41);
  });

  it('is served by a new process after the old one was killed', async () => {
    const { index, processes, save, settle, ids } = await openIndex({ exactLimit: 0 });
    await save(...things);
    await settle();
    for (let round = 0; round < 3; round += 1) {
      const searches = Array.from({ length: 5 }, () => ids(query, {}, 1));
      expect(processes.at(-1)?.kill('SIGKILL')).toBe(true);
      expect(await Promise.all(searches)).toEqual(Array(5).fill([7]));
      await save({ id: 200 + round, vectors: [next()] });
      await index.flush();
    }
    expect(processes).toHaveLength(4);
    expect(await index.stats()).toMatchObject({ rows: 43, unflushed: 0, servedBy: 'lance' });
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
  });

  it('that does not answer in time leaves the search exact and says so', async () => {
    const folder = await earlierLife();
    const { index, ids, save } = await openIndex({ exactLimit: 0, folder, timeoutMs: 1 });
    expect(await ids(query, {}, 1)).toEqual([7]);
    await save({ id: 300, vectors: [next()] });
    await expect(index.flush()).rejects.toMatchObject({ code: 'unavailable' });
    expect(index.state()).toMatchObject({ status: 'degraded' });
    expect((await index.stats()).unflushed).toBe(1);
  });
});

describe('LanceDB that takes long to be ready', () => {
  it('holds up the searches of the first two seconds alone; later ones are served exactly at once', async () => {
    const folder = await earlierLife();
    const { ids, processes } = await openIndex({ exactLimit: 0, folder });
    const first = ids(query, {}, 1);
    await waitUntil(async () => processes.length > 0);
    const pid = processes[0]?.pid ?? 0;
    sendSignal(pid, 'SIGSTOP');
    try {
      expect(await first).toEqual([7]);
      const startedMs = performance.now();
      for (let round = 0; round < 5; round += 1) expect(await ids(query, {}, 1)).toEqual([7]);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    } finally {
      sendSignal(pid, 'SIGCONT');
    }
  });
});

describe('what LanceDB leaves on disk', () => {
  it('B62 after 3,000 single updates the folder holds at most five times its data', async () => {
    const { index, folder, save, nearest } = await openIndex({ exactLimit: 0 });
    const many = Array.from({ length: 500 }, (_, at): Thing => ({ id: at + 1, vectors: [next()] }));
    await save(...many);
    await index.flush();
    for (let update = 0; update < 3_000; update += 1) {
      const [id, rev, vector] = [1 + (update % 500), 2 + Math.floor(update / 500), next()];
      await save({ id, rev, vectors: [vector] });
      // written in groups of five, as the delay of a busy hour does
      if (update % 5 === 4) await index.flush();
      if (update % 500 === 250) expect((await nearest(vector, {}, 1)).hits[0]).toMatchObject({ id, rev });
    }
    const liveBytes = 500 * (dimensions * 4 + 60);
    const { bytesAfter } = await index.optimise();
    expect(bytesAfter).toBeLessThan(2 * liveBytes);
    expect(filesBelow(join(folder, 'vectors')).length).toBeLessThan(20);
    expect(await index.reconcile()).toEqual({ missing: 0, stale: 0, orphans: 0 });
  }, 240_000);

  it('erased bytes are gone from the folder when the erasure is answered', async () => {
    const { database, index, folder, save, settle } = await openIndex({ exactLimit: 0 });
    await save(...things);
    await settle();
    const secret = Buffer.from(query.buffer);
    const holders = () => filesBelow(join(folder, 'vectors')).filter((file) => readFileSync(file).includes(secret));
    expect(holders()).not.toEqual([]);
    index.publish([await eraseThing(database, { id: 7, rev: 2 })]);
    await index.flush();
    await index.erase();
    expect(holders()).toEqual([]);
    expect(await index.stats()).toMatchObject({ rows: 39, servedBy: 'lance' });
    expect(await database.checkpoint()).toBe(true);
    expect(readFileSync(join(folder, 'loci.db')).includes(secret)).toBe(false);
  });
});
