// `npm run bench [-- NAME…] [--long] [--json FILE]`: measures the built daemon through its public interfaces against the bars that a
// release is held to. Exit code 1 when a bar was not met.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { type Measured, printTable, writeJson } from './report.ts';
import { backupBenches } from './rows/backup.ts';
import { bulkBenches } from './rows/bulk.ts';
import { clientBenches } from './rows/clients.ts';
import { embeddingBenches } from './rows/embedding.ts';
import { eventLoopBenches } from './rows/event-loop.ts';
import { graphBenches } from './rows/graph.ts';
import { hookBenches } from './rows/hooks.ts';
import { lifecycleBenches } from './rows/lifecycle.ts';
import { listBenches } from './rows/lists.ts';
import { memoryBenches } from './rows/memory.ts';
import { noteBenches } from './rows/notes.ts';
import { pageBenches } from './rows/page.ts';
import { planBenches } from './rows/plans.ts';
import { saveBenches } from './rows/save.ts';
import { searchBenches } from './rows/search.ts';
import { shimBenches } from './rows/shim.ts';
import { startBenches } from './rows/start.ts';
import { teamSearchBenches } from './rows/team-search.ts';
import { teamVectorBenches } from './rows/team-vectors.ts';
import { vectorTableBenches } from './rows/vector-table.ts';
import { createWorkshop } from './workshop.ts';

const benches: readonly Bench[] = [
  ...shimBenches,
  ...saveBenches,
  ...searchBenches,
  ...embeddingBenches,
  ...bulkBenches,
  ...startBenches,
  ...vectorTableBenches,
  ...memoryBenches,
  ...lifecycleBenches,
  ...graphBenches,
  ...noteBenches,
  ...listBenches,
  ...eventLoopBenches,
  ...clientBenches,
  ...planBenches,
  ...backupBenches,
  ...pageBenches,
  ...hookBenches,
  ...teamSearchBenches,
  ...teamVectorBenches,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such measurement: ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const chosen = benches.filter(({ name, isLong = false }) =>
  positionals.length === 0 ? values.long || !isLong : positionals.includes(name),
);

const findings: Measured[] = [];
const failed: string[] = [];
for (const { name, run } of chosen) {
  const workshop = createWorkshop();
  workshop.say(`${name} (load ${loadavg()[0]?.toFixed(1)})`);
  try {
    findings.push(...(await run(workshop)).map((finding) => ({ bench: name, ...finding })));
  } catch (error) {
    failed.push(name);
    workshop.say(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await workshop.close();
  }
}
printTable(findings);
if (values.json !== undefined) writeJson(values.json, findings);
process.exit(failed.length > 0 || findings.some(({ isMet }) => !isMet) ? 1 : 0);
