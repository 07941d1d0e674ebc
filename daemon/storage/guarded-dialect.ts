// SQLite has one write connection, and Kysely hands it out one query at a time: a query on `db` inside a transaction
// would wait for that transaction, which waits for the query, for ever. This driver says so at once instead.
import { AsyncLocalStorage } from 'node:async_hooks';
import type Sqlite from 'better-sqlite3';
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { CompiledQuery, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the code of a write transaction, so that a query on `db` in it is noticed; what it leaves running afterwards is free again. */
export async function insideTransaction<T>(change: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, change);
  } finally {
    transaction.isOpen = false;
  }
}

/** For a driver that is asked for a connection: throws where the asking code is inside a transaction, which has its own. */
export function refuseInsideTransaction(): void {
  if (transactions.getStore()?.isOpen !== true) return;
  throw new Error('a query on `db` inside a transaction: use the `trx` that `write` gives');
}

/** Kysely over an open better-sqlite3 database that this dialect does not close. */
export function guardedDialect(database: Sqlite.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new GuardedDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class GuardedDriver implements Driver {
  readonly #connection: SqliteConnection;
  #busy: Promise<void> | null = null;
  #free: (() => void) | null = null;

  constructor(database: Sqlite.Database) {
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#busy !== null) refuseInsideTransaction();
    while (this.#busy !== null) await this.#busy;
    this.#busy = new Promise((resolve) => {
      this.#free = resolve;
    });
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const free = this.#free;
    this.#busy = null;
    this.#free = null;
    free?.();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // after a full disk or an I/O error SQLite has rolled back by itself
    if ((connection as SqliteConnection).inTransaction) await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database;
  /** Prepared statements by their text: the same few dozen run for ever. */
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(database: Sqlite.Database) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#database.prepare(sql).iterate(parameters)) yield { rows: [row as R] };
  }

  #prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    if (this.#statements.size >= 500) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}
