// A home in which every list is long. One row of each kind is made by its operation; the rest are copies of that row by SQL, because
// a hundred thousand calls of each kind would take an hour and a list reads rows, whoever wrote them.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { contractByName } from '#shared/contract/index.ts';
import { askStore, copyFilledHome, openFixtureStore } from './filled-home.ts';

/** Whose contract's first example makes the first row of each table, and which of its columns must differ in every row. */
const tables = [
  { table: 'projects', unlike: ['name', 'name_key'], make: 'create_project' },
  { table: 'documents', unlike: [], make: 'create_document' },
  { table: 'code_artifacts', unlike: [], make: 'create_code_artifact' },
  { table: 'files', unlike: [], make: 'create_file' },
  { table: 'skills', unlike: ['name'], make: 'create_skill' },
  { table: 'entities', unlike: [], make: 'create_entity' },
  { table: 'plans', unlike: ['external_ref'], make: 'create_plan' },
  { table: 'tasks', unlike: [], make: 'create_task' },
] as const;

/** Fills `home` with so many memories and so many rows of every other kind. */
export async function makeWideHome(rows: number, home: string, say: (sentence: string) => void): Promise<void> {
  await copyFilledHome(rows, home, say);
  const store = await openFixtureStore(home);
  for (const { make } of tables) {
    const contract = contractByName(make);
    const example = { ...contract?.examples?.[0], dependency_ids: undefined };
    await askStore(store, make, contract?.input.parse(JSON.parse(JSON.stringify(example))) as object);
  }
  await store.close();
  const db = new Sqlite(join(home, 'data', 'loci.db'));
  db.function('fold_case', { deterministic: true }, (text) => String(text).normalize('NFKC').toLowerCase());
  for (const { table, unlike } of tables) multiply(db, table, unlike, rows);
  db.close();
}

/** Copies the newest row of a table until it holds `rows`. */
function multiply(db: Sqlite.Database, table: string, unlike: readonly string[], rows: number): void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const { last, held } = db.prepare(`SELECT max(id) AS last, count(*) AS held FROM ${table}`).get() as {
    last: number;
    held: number;
  };
  const values = columns.map((column) => {
    if (column === 'id') return 'id + n';
    if (column === 'uid') return 'lower(hex(randomblob(16)))';
    if (column === 'created_at' || column === 'updated_at') return `${column} + n`;
    if (table === 'tasks' && column === 'plan_id') return 'plan_id + n % 100';
    return (unlike as readonly string[]).includes(column) ? `${column} || '-' || n` : column;
  });
  db.prepare(
    `WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?)
      INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table}, copies WHERE id = ?`,
  ).run(rows - held, last);
}
