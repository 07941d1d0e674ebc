// Lists whose filter no index answers read every row of a store, 100 ms at a hundred thousand memories. On the connection that writes
// they would stop the event loop for that long; so they are built as any other query, and run in the reader thread.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { refuseInsideTransaction } from './guarded-dialect.ts';
import type { Reader } from './reader.ts';
import type { Db } from './sqlite.ts';
import type { Tables } from './tables/schema.ts';

/** Kysely over the reader thread: it sees what is committed, and can change nothing. */
export function createScans(reader: Pick<Reader, 'ask'>): Db {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      const { rows } = await reader.ask('rows', { sql, parameters });
      return { rows: rows as R[] };
    },
    streamQuery: refuse,
  };
  const driver: Driver = {
    init: async () => undefined,
    async acquireConnection() {
      refuseInsideTransaction();
      return connection;
    },
    releaseConnection: async () => undefined,
    beginTransaction: async () => refuse(),
    commitTransaction: async () => refuse(),
    rollbackTransaction: async () => refuse(),
    destroy: async () => undefined,
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function refuse(): never {
  throw new Error('the reader thread answers one query at a time and changes nothing: use `database.write`');
}
