// The first page of every list, among a thousand rows of its kind and among a hundred thousand: agents ask for it at every turn, and
// its time must not grow with the store.
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding, ratioFinding } from '../figures.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { makeWideHome } from '../store/wide-home.ts';
import type { Workshop } from '../workshop.ts';

const rounds = 40;
const [few, many] = [1_000, 100_000];
/** "The same" of two medians of a few milliseconds each, measured in turns. */
const sameAtMost = 1.5;

const lists: readonly (readonly [operation: string, input: object])[] = [
  ['memory_list', { limit: 10 }],
  ['get_recent_memories', { limit: 10 }],
  ['list_projects', { limit: 10 }],
  ['list_documents', { limit: 10 }],
  ['list_code_artifacts', { limit: 10 }],
  ['list_files', { limit: 10 }],
  ['list_skills', { limit: 10 }],
  ['list_entities', { limit: 10 }],
  ['list_plans', { limit: 10 }],
  ['query_tasks', { plan_id: 1, limit: 10 }],
  ['list_activity', { limit: 10 }],
];

export const listBenches: readonly Bench[] = [{ name: 'lists', isLong: true, run: pages }];

async function pages(workshop: Workshop): Promise<Finding[]> {
  const [small, large] = [await wideDaemon(workshop, few), await wideDaemon(workshop, many)];
  const findings: Finding[] = [];
  for (const [operation, input] of lists) {
    const [values, among]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const smallMs = await small.time(operation, input);
      const largeMs = await large.time(operation, input);
      if (round === 0) continue;
      among.push(smallMs);
      values.push(largeMs);
    }
    const yardstick = { name: `among ${few}`, values: among };
    findings.push(
      limitFinding({ what: `${operation}, 10 of ${many} rows`, atMost: 10, values }),
      ratioFinding({ what: `${operation}, among ${many} rows`, atMost: sameAtMost, values, yardstick }),
    );
  }
  return findings;
}

async function wideDaemon(workshop: Workshop, rows: number): Promise<RunningDaemon> {
  const home = workshop.emptyHome();
  await makeWideHome(rows, home, workshop.say);
  const daemon = await workshop.daemon(home);
  await daemon.call('memory_search', { query: 'wait until the store is open', mode: 'keyword' });
  return daemon;
}
