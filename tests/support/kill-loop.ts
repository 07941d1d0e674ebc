// The daemon is killed at random moments, again and again, while many save, memories are united and everything is embedded anew with one
// model and then with another. What counts is what is left: every acknowledged memory once, and no index that knows more or less than
// the rows.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { Connection } from '#clients/connect/connection.ts';
import { endProcess, type Home, homeIn, pidOf, untilUp } from './daemon-process.ts';
import { dayMs } from './fake-clock.ts';
import { createFakeEmbedder } from './fake-embedder.ts';
import { answerJson, startModelServer } from './fake-model-server.ts';
import { checkKeywordIndex, queryHome } from './open-store-file.ts';
import { connectTo, untilEmbedded } from './real-daemon.ts';
import { tempFolder } from './temp-folder.ts';

export type KillLoop = {
  readonly acknowledged: number;
  readonly kills: number;
  /** Milliseconds from each kill to the first answer of an operation. */
  readonly servedAfterMs: readonly number[];
  readonly switches: number;
  /** The same from a daemon that is down, before anybody writes: what this machine takes at this hour. */
  readonly quietStartMs: number;
};

export type KillLoopOptions = { readonly kills: number; readonly writers: number; readonly seed: number };

const fadedTopics = 40;

export async function runKillLoop({ kills, writers, seed }: KillLoopOptions): Promise<KillLoop> {
  const random = seededRandom(seed);
  const server = await startFakeOllama();
  const home = homeIn(tempFolder(), {
    LOCI_EMBEDDING_OLLAMA_HOST: server.url,
    LOCI_CONSOLIDATE_MIN_CANDIDATES: '2',
    LOCI_VECTORS_EXACT_LIMIT: '100', // both ways of searching have their turn
  });
  await fillWithFaded(home);
  const quietStartMs = await served(home);

  const acknowledged = new Map<string, number>();
  let isOver = false;
  const over = () => isOver;
  const work = [
    ...Array.from({ length: writers }, (_, writer) => write(home, writer, acknowledged, over)),
    keepBusy(home, over),
  ];
  const servedAfterMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const pid = await untilUp(home, null, 30_000);
    // some way into its work, however busy the machine is
    const savedBefore = acknowledged.size;
    const untilMs = performance.now() + 20_000;
    while (acknowledged.size < savedBefore + 4 && performance.now() < untilMs) await sleep(5);
    await sleep(random() * 400);
    await endProcess(pid);
    servedAfterMs.push(await served(home));
  }
  isOver = true;
  await Promise.all(work);
  const switches = await expectWhole(home, acknowledged);
  return { acknowledged: acknowledged.size, kills, servedAfterMs, switches, quietStartMs };
}

async function write(
  home: Home,
  writer: number,
  acknowledged: Map<string, number>,
  isOver: () => boolean,
): Promise<void> {
  const connection = connectTo(home);
  for (let at = 0; !isOver(); at += 1) {
    const content = `writer${writer} says its sentence number${at}`;
    const input = { content, on_duplicate: 'keep', project: `project ${writer % 3}` };
    const { id } = (await untilAnswered(connection, 'memory_save', input)) as { id: number };
    acknowledged.set(content, id);
    if (at % 7 === 6) await untilAnswered(connection, 'memory_update', { id, tags: [`tag${at}`] });
  }
}

/** Jobs and re-embedding, one after the other, whose answers may get lost. */
async function keepBusy(home: Home, isOver: () => boolean): Promise<void> {
  const connection = connectTo(home);
  for (let turn = 0; !isOver(); turn += 1) {
    const choice = turn % 2 === 0 ? { provider: 'ollama', model: 'toy' } : { provider: 'bundled' };
    await connection.call('re_embed', choice).catch(() => undefined);
    for (const name of ['consolidate', 'reconcile', 'clean', 'backup', 'optimise']) {
      if (isOver()) return;
      await connection.call('run_job', { name }).catch(() => undefined);
      await sleep(20);
    }
  }
}

/** A client gives up after four cuts; a person would try once more, with the same key. */
async function untilAnswered(connection: Connection, operation: string, input: object): Promise<unknown> {
  const idempotencyKey = randomUUID();
  for (;;) {
    try {
      return await connection.call(operation, input as Record<string, unknown>, { idempotencyKey });
    } catch (error) {
      if ((error as { code?: string }).code !== 'unavailable') throw error;
      await sleep(20);
    }
  }
}

async function served(home: Home): Promise<number> {
  const startedMs = performance.now();
  const connection = connectTo(home);
  await untilAnswered(connection, 'memory_sync', {});
  await connection.close();
  return performance.now() - startedMs;
}

async function expectWhole(home: Home, acknowledged: ReadonlyMap<string, number>): Promise<number> {
  const connection = connectTo(home);
  await expect
    .poll(() => connection.call('get_re_embedding', {}), { timeout: 20_000, interval: 200 })
    .toMatchObject({ state: 'done', why: null });
  await untilEmbedded(connection, 240_000);
  await connection.call('run_job', { name: 'reconcile' });
  expect(await connection.call('run_job', { name: 'reconcile' })).toMatchObject({
    outcome: 'ok',
    counts: { missing: 0, stale: 0, orphans: 0 },
  });
  const { model } = (await connection.call('get_re_embedding', {})) as { model: string };
  const some = [...acknowledged].filter((_, at) => at % Math.ceil(acknowledged.size / 20) === 0);
  for (const [content, id] of some) {
    const ask = (mode: string) => connection.call('memory_search', { query: content, mode, limit: 5, depth: 1 });
    for (const mode of ['keyword', 'vector']) {
      const { results } = (await ask(mode)) as { results: { id: number }[] };
      expect(
        results.map((hit) => hit.id),
        `${mode}: ${content}`,
      ).toContain(id);
    }
  }
  await endProcess(await pidOf(home));

  const rows = queryHome<{ id: number; content: string }>(home.folder, 'SELECT id, content FROM memories');
  const byContent = new Map<string, number[]>();
  for (const { id, content } of rows) byContent.set(content, [...(byContent.get(content) ?? []), id]);
  for (const [content, id] of acknowledged) expect(byContent.get(content), content).toEqual([id]);
  expectNoOrphans(home, model);
  return Number(queryHome(home.folder, `SELECT count(DISTINCT model_id) AS n FROM vectors`)[0]?.n);
}

function expectNoOrphans(home: Home, model: string): void {
  const none = (what: string, sql: string, ...values: string[]) =>
    expect(queryHome(home.folder, sql, ...values), what).toEqual([]);
  expect(queryHome(home.folder, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  none('references', 'PRAGMA foreign_key_check');
  none(
    'memories that no index knows',
    `SELECT id FROM memories WHERE id NOT IN (SELECT thing_id FROM searchables WHERE kind = 'memory')`,
  );
  none(
    'rows of memories that are gone',
    `SELECT thing_id FROM searchables WHERE kind = 'memory' AND thing_id NOT IN (SELECT id FROM memories)`,
  );
  none(
    'revs that differ',
    `SELECT m.id FROM memories m JOIN searchables s ON s.kind = 'memory' AND s.thing_id = m.id WHERE s.rev <> m.rev OR s.status <> m.status`,
  );
  none(
    'vectors of nothing',
    `SELECT v.thing_id FROM vectors v LEFT JOIN searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id WHERE s.id IS NULL`,
  );
  none(
    'texts without a vector of the active model',
    `SELECT s.thing_id FROM searchables s WHERE s.passages > 0 AND NOT EXISTS (
      SELECT 1 FROM vectors v WHERE v.kind = s.kind AND v.thing_id = s.thing_id AND v.rev = s.rev AND v.model_id = ?)`,
    model,
  );
  none(
    'counts',
    `SELECT status FROM memory_counts c WHERE memories <> (SELECT count(*) FROM memories m WHERE m.user_id = c.user_id AND m.status = c.status)`,
  );
  none(
    'totals of lists',
    "SELECT things FROM thing_counts c WHERE kind = 'project' AND things <> (SELECT count(*) FROM projects p WHERE p.user_id = c.user_id)",
  );
  checkKeywordIndex(home.folder);
}

/** Memories of four months ago that say nearly the same, three of each. */
async function fillWithFaded(home: Home): Promise<void> {
  const connection = connectTo(home);
  const endings = ['after review', 'on tuesdays', 'with two approvals'];
  const memories = Array.from({ length: fadedTopics }, (_, topic) =>
    endings.map((end) => ({
      content: `The part${topic} of system${topic % 7} is deployed through the pipeline ${end}.`,
      project: `old project ${topic}`,
      on_duplicate: 'keep',
    })),
  ).flat();
  await connection.call('memory_save_many', { memories });
  await endProcess(await pidOf(home));
  const db = new Sqlite(home.paths.database);
  db.prepare('UPDATE memories SET created_at = created_at - ?').run(120 * dayMs);
  db.close();
}

/** Answers as Ollama does, with vectors by which texts that share words are near. */
async function startFakeOllama() {
  const embedder = createFakeEmbedder({ dimensions: 96 });
  return startModelServer(async ({ path, body }, response) => {
    if (path.endsWith('/version')) return answerJson(response, { version: '0.9.0' });
    const vectors = await embedder.embed(body.input ?? [], { lane: 'bulk', purpose: 'passage' });
    answerJson(response, { embeddings: vectors.map((vector) => [...(vector ?? new Float32Array(96))]) });
  });
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
