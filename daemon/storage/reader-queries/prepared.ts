import type Sqlite from 'better-sqlite3';

const statementsByDatabase = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>();

/** A prepared statement of this connection, made once for each text: reader queries build a few dozen texts. */
export function preparedFor(db: Sqlite.Database, sql: string): Sqlite.Statement {
  let statements = statementsByDatabase.get(db);
  if (statements === undefined) {
    statements = new Map();
    statementsByDatabase.set(db, statements);
  }
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = db.prepare(sql);
    if (statements.size >= 200) statements.clear();
    statements.set(sql, statement);
  }
  return statement;
}
