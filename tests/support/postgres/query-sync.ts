// A look into a database of the run's cluster at once, for tests that look into SQLite's file the same way.
import { execFileSync } from 'node:child_process';

/** Rows of a query; `?` stand for the parameters. Bytes come as hexadecimal text. */
export function querySync<Row>(url: string, sql: string, parameters: readonly unknown[]): Row[] {
  let next = 0;
  const filled = sql.replace(/\?/g, () => literal(parameters[next++]));
  const statement = `SET search_path = loci; SELECT coalesce(json_agg(found), '[]') FROM (${filled}) AS found`;
  return JSON.parse(
    execFileSync('psql', [url, '-XAtqc', statement], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
  ) as Row[];
}

function literal(value: unknown): string {
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
