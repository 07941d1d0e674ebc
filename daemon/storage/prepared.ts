import type Sqlite from 'better-sqlite3';

const statements = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>();

/** The prepared statement of a text, made once for each connection: preparing costs more than a point read. */
export function prepared<Parameters extends unknown[] | object, Row>(
  db: Sqlite.Database,
  sql: string,
): Parameters extends unknown[] ? Sqlite.Statement<Parameters, Row> : Sqlite.Statement<[Parameters], Row> {
  const known = statements.get(db) ?? new Map<string, Sqlite.Statement>();
  statements.set(db, known);
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  return statement as never;
}
