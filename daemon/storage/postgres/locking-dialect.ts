// Kysely over a pool, with the two promises that rooms know from SQLite. A write transaction is alone: it takes one advisory lock that all
// daemons of a team share, so what it reads stays true until it commits, the log of changes is numbered in the order of commits, and nothing
// is ever repeated because two changes met. And a query on `db` inside a transaction is refused: it would not see what the transaction did.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import { refuseInsideTransaction } from '../guarded-dialect.ts';
import { lockClass, writeLock } from './connection.ts';
import { postgresProblem } from './postgres-errors.ts';
import { isLost, lostError, type Pulse } from './pulse.ts';

/** `pulse` says whether the database answers: while it does not, no query is begun. Errors of queries become what a caller can act on. */
export function lockingDialect(config: PostgresDialectConfig, pulse?: Pulse): Dialect {
  const plain = new PostgresDialect(config);
  return {
    createAdapter: () => plain.createAdapter(),
    createDriver: () => new LockingDriver(config, pulse),
    createIntrospector: (db) => plain.createIntrospector(db),
    createQueryCompiler: () => plain.createQueryCompiler(),
  };
}

class LockingDriver extends PostgresDriver {
  readonly #pulse: Pulse | undefined;
  readonly #told = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, pulse: Pulse | undefined) {
    super(config);
    this.#pulse = pulse;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInsideTransaction();
    if (isLost(this.#pulse)) throw lostError();
    try {
      const connection = await super.acquireConnection();
      this.#tellProblems(connection);
      return connection;
    } catch (error) {
      throw postgresProblem(error);
    }
  }

  /** A connection serves many times, and is the same object each time. */
  #tellProblems(connection: DatabaseConnection): void {
    if (this.#told.has(connection)) return;
    this.#told.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async (query) => {
      try {
        return await execute(query);
      } catch (error) {
        throw postgresProblem(error);
      }
    };
  }

  override async beginTransaction(connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    try {
      await connection.executeQuery(begin);
    } catch (error) {
      await this.rollbackTransaction(connection as never);
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // a connection that is lost has rolled back; the error that matters is the first one
    await super.rollbackTransaction(connection as never).catch(() => undefined);
  }
}

/** One round trip for both. */
const begin = CompiledQuery.raw(`BEGIN; SELECT pg_advisory_xact_lock(${lockClass}, ${writeLock})`);
