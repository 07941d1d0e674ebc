// The daemon is killed in the middle of a consolidation, again and again: each memory is either as it was or consolidated whole, and
// the run that is allowed to end unites the rest.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createConnection } from '#clients/connect/connection.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { endProcess, type Home, homeIn, pidOf } from '../../support/daemon-process.ts';
import { dayMs } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const locid = fileURLToPath(new URL('../../../dist/locid.js', import.meta.url));
const topics = 24;
const endings = ['after review', 'on tuesdays', 'with two approvals'];
const parts = ['parser', 'importer', 'scheduler', 'login form', 'job queue', 'cache', 'report builder', 'mail sender'];
const things = ['orders', 'invoices', 'tokens'];

type Row = { id: number; status: string; content: string; superseded_by: number | null };

it('B21 kill -9 in the middle of a consolidation leaves every memory as it was or consolidated', {
  timeout: 120_000,
}, async () => {
  const home = homeIn(tempFolder(), { LOCI_JOBS_CONSOLIDATE_ENABLED: 'false' });
  const memories = Array.from({ length: topics }, (_, topic) =>
    endings.map((end) => ({
      content: `The ${parts[topic % parts.length]} for ${things[topic % things.length]} is deployed through the pipeline ${end}.`,
      project: `project-${topic}`,
      on_duplicate: 'keep',
    })),
  ).flat();
  await call(home, 'memory_save_many', { memories });
  await endProcess(await pidOf(home));
  change(home, (db) => db.prepare('UPDATE memories SET created_at = created_at - ?').run(120 * dayMs));
  const originals = new Map(rowsOf(home).map((row) => [row.id, row.content]));

  for (const afterMs of [300, 700, 1_100]) {
    // its answer never comes
    call(home, 'run_job', { name: 'consolidate' }).catch(() => undefined);
    await expect.poll(() => pidOf(home), { timeout: 15_000 }).not.toBeNull();
    await sleep(afterMs);
    await endProcess(await pidOf(home));
    expectWhole(rowsOf(home), originals);
  }

  expect(await call(home, 'run_job', { name: 'consolidate' })).toMatchObject({ outcome: 'ok' });
  const rows = rowsOf(home);
  expectWhole(rows, originals);
  expect(rows.filter((row) => originals.has(row.id) && row.status === 'active')).toEqual([]);
  expect(rows).toHaveLength(topics * (endings.length + 1));
});

/** Every original is active and untouched, or archived in favour of an active memory that holds its sentence and all of its siblings. */
function expectWhole(rows: readonly Row[], originals: ReadonlyMap<number, string>): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, content] of originals) {
    const row = byId.get(id);
    expect(row?.content).toBe(content);
    if (row?.status === 'active') {
      expect(row.superseded_by).toBeNull();
      continue;
    }
    const heir = byId.get(row?.superseded_by ?? -1);
    expect(row?.status).toBe('archived');
    expect(heir).toMatchObject({ status: 'active' });
    expect(heir?.content).toContain(content);
  }
  for (const heir of rows.filter((row) => !originals.has(row.id))) {
    expect(rows.filter((row) => row.superseded_by === heir.id)).toHaveLength(endings.length);
  }
}

async function call(home: Home, operation: string, input: object): Promise<unknown> {
  const connection = createConnection({
    ...localDaemon(home.env),
    program: locid,
    server: null,
    folder: null,
    agent: 'test',
  });
  onTestFinished(() => connection.close());
  return connection.call(operation, input as Record<string, unknown>);
}

function rowsOf(home: Home): Row[] {
  let rows: Row[] = [];
  change(home, (db) => {
    rows = db.prepare('SELECT id, status, content, superseded_by FROM memories ORDER BY id').all() as Row[];
  });
  return rows;
}

/** On a connection of its own, while no daemon runs. */
function change(home: Home, work: (db: Sqlite.Database) => unknown): void {
  const db = new Sqlite(home.paths.database);
  work(db);
  db.close();
}
