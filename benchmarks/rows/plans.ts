// Agents that share out a plan. A claim is one durable transaction and everything around it (socket, contract, log of changes), so it
// is measured against the bare transaction of the same disk, in turns.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { resolvePaths } from '#shared/paths.ts';
import type { Bench } from '../bench.ts';
import { countFinding, type Finding, limitFinding, ratioFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { addManyTasks } from '../store/many-tasks.ts';
import type { Workshop } from '../workshop.ts';

const agents = 16;
const rounds = 7;
const claimsEach = 20;
const largePlan = 5_000;
const takes = 60;

export const planBenches: readonly Bench[] = [
  { name: 'claims', run: claims },
  { name: 'next-task', run: takesOfLargePlan },
];

async function claims(workshop: Workshop): Promise<Finding[]> {
  const home = workshop.emptyHome();
  const daemon = await workshop.daemon(home);
  const planId = await newPlan(daemon);
  const count = (rounds + 1) * agents * claimsEach;
  addManyTasks({ databaseFile: databaseOf(home), planId, count, isChain: false });
  const bare = openBare(workshop.emptyHome());
  const [values, yardstick]: [number[], number[]] = [[], []];
  const taken: (number | null)[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bareMs = timeEach(agents * claimsEach, () => bare.run('one row'));
    const startedMs = performance.now();
    const ids = await Promise.all(Array.from({ length: agents }, (_, agent) => takeMany(daemon, planId, agent)));
    const claimMs = (performance.now() - startedMs) / (agents * claimsEach);
    taken.push(...ids.flat());
    if (round === 0) continue; // the first one warms the code up
    values.push(claimMs);
    yardstick.push(bareMs);
  }
  const distinct = new Set(taken.filter((id) => id !== null)).size;
  return [
    ratioFinding({
      what: `a claim, ${agents} agents at once (≥ 25 % of the bare rate)`,
      atMost: 4,
      values,
      yardstick: { name: 'a bare synchronous=FULL transaction', values: yardstick },
    }),
    countFinding(`${count} claims by ${agents} agents`, `${count} different tasks`, `${distinct} different tasks`),
  ];
}

async function takesOfLargePlan(workshop: Workshop): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const isChain of [false, true]) {
    const home = workshop.emptyHome();
    const daemon = await workshop.daemon(home);
    const planId = await newPlan(daemon);
    addManyTasks({ databaseFile: databaseOf(home), planId, count: largePlan, isChain });
    const values: number[] = [];
    for (let take = -10; take < takes; take += 1) {
      const ms = await daemon.time('next_task', { plan_id: planId, agent_id: 'bench' });
      if (take >= 0) values.push(ms);
    }
    const what = `next_task, ${largePlan} tasks${isChain ? ' in a chain, none ready' : ''}`;
    findings.push(limitFinding({ what, atMost: 5, values }));
  }
  return findings;
}

async function newPlan(daemon: RunningDaemon): Promise<number> {
  await daemon.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
  const { id } = await daemon.call<{ id: number }>('create_plan', { title: 'Plan', project_id: 1, status: 'active' });
  return id;
}

async function takeMany(daemon: RunningDaemon, planId: number, agent: number): Promise<(number | null)[]> {
  const ids: (number | null)[] = [];
  for (let claim = 0; claim < claimsEach; claim += 1) {
    const input = { plan_id: planId, agent_id: `agent-${agent}` };
    const { task } = await daemon.call<{ task: { id: number } | null }>('next_task', input);
    ids.push(task?.id ?? null);
  }
  return ids;
}

function databaseOf(home: string): string {
  return resolvePaths({ LOCI_HOME: home }).database;
}

function openBare(folder: string): Sqlite.Statement<[string]> {
  mkdirSync(folder, { recursive: true });
  const database = new Sqlite(join(folder, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
  return database.prepare('INSERT INTO rows (text) VALUES (?)');
}

function timeEach(times: number, work: () => void): number {
  const startedMs = performance.now();
  for (let time = 0; time < times; time += 1) work();
  return (performance.now() - startedMs) / times;
}
