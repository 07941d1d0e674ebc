// A look into a database of the run's cluster at once, for tests that look into SQLite's file the same way.
import { execFileSync } from 'node:child_process';

/** Rows of a query; `?` stand for the parameters. Bytes come as hexadecimal text. */
export function querySync<Row>(url: string, sql: string, parameters: readonly unknown[]): Row[] {
  const filled = fill(sql, parameters);
  const statement = `SET search_path = loci; SELECT coalesce(json_agg(found), '[]') FROM (${filled}) AS found`;
  return JSON.parse(
    execFileSync('psql', [url, '-XAtqc', statement], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
  ) as Row[];
}

/** Runs a statement that changes something. */
export function executeSync(url: string, sql: string, parameters: readonly unknown[]): void {
  execFileSync('psql', [
    url,
    '-XqAt',
    '-v',
    'ON_ERROR_STOP=1',
    '-c',
    `SET search_path = loci; ${fill(sql, parameters)}`,
  ]);
}

function fill(sql: string, parameters: readonly unknown[]): string {
  let next = 0;
  return sql.replace(/\?/g, () => literal(parameters[next++]));
}

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
