// Where a team's vectors are searched: in each daemon's memory, kept by the change feed of the database, or in one table in a bucket
// (`vectors.url`). Both ways run side by side on one database and are asked in turns. The object store is on this machine: over a network
// each search of the table waits a few times longer, and a search in memory not at all.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveObjectStore } from '../../tests/support/object-store/object-store.ts';
import { runSql, startCluster } from '../../tests/support/postgres/cluster.ts';
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding, ratioFinding } from '../figures.ts';
import { residentMbWithChildren } from '../processes/process-facts.ts';
import { environmentOfDaemon, program } from '../processes/program.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { createDeveloperTexts, type DeveloperTexts } from '../store/developer-texts.ts';
import type { Workshop } from '../workshop.ts';

const memories = 4_000;
const searches = 60;
const saves = 20;
const lookAgainMs = 5;
const giveUpMs = 30_000;

export const teamVectorBenches: readonly Bench[] = [{ name: 'team-vectors', isLong: true, run: compareWays }];

type Way = { readonly name: string; readonly writer: RunningDaemon; readonly other: RunningDaemon };

async function compareWays(workshop: Workshop): Promise<Finding[]> {
  const cluster = await startCluster();
  const bucketFolder = workshop.emptyHome();
  mkdirSync(bucketFolder, { recursive: true });
  const bucket = await serveObjectStore('gofakes3', bucketFolder);
  try {
    await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
    const database = { LOCI_STORAGE_URL: cluster.url('team') };
    moveToTeam(await workshop.filledHome(memories), database);
    const table = { ...database, ...bucket.env, LOCI_VECTORS_URL: bucket.url, LOCI_VECTORS_EXACT_LIMIT: '0' };
    // the first daemon does the upkeep, and so writes the table
    const shared = await startWay(workshop, 'the table in the bucket', table);
    await untilBuilt(cluster.url('team'));
    await shared.writer.call('run_job', { name: 'optimise' });
    const replica = await startWay(workshop, 'memory of each daemon', database);
    return await measure(shared, replica);
  } finally {
    await bucket.kill();
    await workshop.close();
    await cluster.stop();
  }
}

function moveToTeam(home: string, env: NodeJS.ProcessEnv): void {
  execFileSync(process.execPath, [program('locid'), '--move-store', 'to-team'], {
    env: environmentOfDaemon(home, env),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function startWay(workshop: Workshop, name: string, env: NodeJS.ProcessEnv): Promise<Way> {
  const [writer, other] = [
    await workshop.daemon(workshop.emptyHome(), env),
    await workshop.daemon(workshop.emptyHome(), env),
  ];
  return { name, writer, other };
}

async function untilBuilt(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = await runSql(url, "SELECT 1 FROM loci.store_facts WHERE key = 'vectors.shared'");
    if (found.length > 0) return;
    await sleep(100);
  }
  throw new Error('the table was not built within a minute');
}

async function measure(shared: Way, replica: Way): Promise<Finding[]> {
  const texts = createDeveloperTexts(31);
  const times = await searchesInTurns([shared, replica], texts);
  const mostMb = [shared, replica].map(({ other }) => residentMbWithChildren(other.pid));
  const untilFound = await savesInTurns([shared, replica], texts);
  const of = (values: readonly (readonly number[])[], index: number): readonly number[] => values[index] ?? [];
  return [
    ...[shared, replica].map(({ name }, index) =>
      limitFinding({
        what: `found through another daemon after a save, ${name}`,
        atMost: 1_000,
        values: of(untilFound, index),
      }),
    ),
    ratioFinding({
      what: `search by meaning at ${memories} memories, ${shared.name}`,
      atMost: 20,
      values: of(times, 0),
      yardstick: { name: replica.name, values: of(times, 1) },
    }),
    ratioFinding({
      what: `memory of a daemon with its processes, ${shared.name}`,
      atMost: 2,
      values: mostMb.slice(0, 1),
      yardstick: { name: replica.name, values: mostMb.slice(1) },
      unit: 'MB',
    }),
  ];
}

/** Milliseconds of searches through the second daemon of each way; the queries are embedded already. */
async function searchesInTurns(ways: readonly Way[], texts: DeveloperTexts): Promise<number[][]> {
  const queries = Array.from({ length: searches }, () => texts.question());
  const times: number[][] = ways.map(() => []);
  const input = (query: string) => ({ query, mode: 'vector', depth: 1 });
  for (const { other } of ways) for (const query of queries) await other.call('memory_search', input(query));
  for (const query of queries) {
    for (const [index, { other }] of ways.entries())
      times[index]?.push(await other.time('memory_search', input(query)));
  }
  return times;
}

/** Milliseconds from the answer to a save through one daemon until another finds it by meaning. */
async function savesInTurns(ways: readonly Way[], texts: DeveloperTexts): Promise<number[][]> {
  const times: number[][] = ways.map(() => []);
  for (let round = 0; round < saves; round += 1) {
    for (const [index, way] of ways.entries()) {
      const content = texts.question();
      await way.other.call('memory_search', { query: content, mode: 'vector' }); // embeds it
      const { id } = await way.writer.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' });
      const startedMs = performance.now();
      while (!(await isFound(way.other, content, id))) {
        if (performance.now() - startedMs > giveUpMs) throw new Error(`${way.name} did not find a note that was saved`);
        await sleep(lookAgainMs);
      }
      times[index]?.push(performance.now() - startedMs);
    }
  }
  return times;
}

async function isFound(daemon: RunningDaemon, query: string, id: number): Promise<boolean> {
  const input = { query, mode: 'vector', limit: 50, depth: 1 };
  const { results } = await daemon.call<{ results: { id: number }[] }>('memory_search', input);
  return results.some((hit) => hit.id === id);
}
