import type Sqlite from 'better-sqlite3';

const statementsByDatabase = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>();
/** Filters of many shapes make many texts; the usual ones are soon there again. */
const maxStatements = 200;

/** The prepared statement of a text, made once for each connection: preparing costs more than a point read. */
export function prepared<Parameters extends unknown[] | object = unknown[], Row = unknown>(
  db: Sqlite.Database,
  sql: string,
): Parameters extends unknown[] ? Sqlite.Statement<Parameters, Row> : Sqlite.Statement<[Parameters], Row> {
  const statements = statementsByDatabase.get(db) ?? new Map<string, Sqlite.Statement>();
  statementsByDatabase.set(db, statements);
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = db.prepare(sql);
    if (statements.size >= maxStatements) statements.clear();
    statements.set(sql, statement);
  }
  return statement as never;
}
