// How the daemon speaks to PostgreSQL. Values come back as SQLite gives them (counts and times as numbers, truth as 1 and 0), so that
// no room sees which engine it stands on. The package is loaded only where `storage.url` is set: a laptop never pays for it.
import type { Client, ClientBase, ClientConfig } from 'pg';
import { postgresProblem } from './postgres-errors.ts';
import type { Pulse } from './pulse.ts';

/**
 * `url` may hold a password: it is never logged. `name` tells this daemon's connections from those of others. `pulse` is shared by all of
 * them; what has none waits as long as it takes.
 */
export type PostgresSource = { readonly url: string; readonly name: string; readonly pulse?: Pulse };

/** An open connection. */
export type PostgresClient = ClientBase;

/** Everything of Loci is in this schema, so that a database may hold other things besides. */
export const schema = 'loci';

/** Keys of advisory locks, of which the first number is ours. */
export const lockClass = 0x10c1;
export const writeLock = 1;
export const leaderLock = 2;
export const schemaLock = 3;

/** The first number of the locks that `exclusive.ts` gives by name. */
export const exclusiveClass = 0x10c2;

/** One channel for all: what has changed, the log says. */
export const channel = 'loci_changes';

const connectTimeoutMs = 5_000;
/** A write that cannot begin for so long says so. */
const lockTimeoutMs = 10_000;
/** A daemon that was cut off inside a transaction holds up everybody's writes no longer than this. */
const idleInTransactionMs = 15_000;
/** No statement of ours takes so long unless something is wrong. */
const statementTimeoutMs = 60_000;
/** After this the server gives up a daemon that it cannot reach, with the locks that it held; its own default is two hours. */
const unreachableMs = 20_000;

export async function loadPostgres() {
  const { default: pg } = await import('pg');
  return pg;
}

export function clientConfig({ url }: PostgresSource): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types: { getTypeParser: (type, format) => (format === 'binary' ? asIs : (parsers[type as number] ?? asIs)) },
  };
}

/** What a new connection is told first. */
export function sessionSettings({ name }: PostgresSource, options: { readonly readOnly?: boolean } = {}): string {
  return [
    `SET search_path = ${schema}`,
    `SET application_name = '${name.replaceAll("'", "''")}'`,
    `SET lock_timeout = ${lockTimeoutMs}`,
    `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    `SET statement_timeout = ${statementTimeoutMs}`,
    'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3',
    `SET tcp_user_timeout = ${unreachableMs}`,
    // our statements are short: compiling them, or starting processes to share them, takes longer than running them
    'SET jit = off',
    'SET max_parallel_workers_per_gather = 0',
    ...(options.readOnly === true ? ['SET default_transaction_read_only = on'] : []),
  ].join('; ');
}

/** Ends a connection without a word to the other side, which may be out of reach: what waits for an answer fails now. */
export function cutOff(client: ClientBase): void {
  (client as Client & { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
}

const asIs = (text: string): unknown => text;

/** In memory of its own: a part of Node's pool would take all of it along to another thread. */
function asBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow((text.length - 2) / 2);
  bytes.write(text.slice(2), 'hex');
  return bytes;
}

/** By the numbers of types in the catalogue (pg_type.dat): bool, bytea, int8, int2, int4, float4, float8, numeric. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  17: asBytes,
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  1700: Number,
};

/** A connection for one piece of work that may take as long as it takes. */
export async function withClient<T>(source: PostgresSource, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const { Client } = await loadPostgres();
  const client = new Client(clientConfig(source));
  client.on('error', () => undefined); // its queries tell
  try {
    await client.connect();
    await client.query(
      `${sessionSettings(source)}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`,
    );
    return await work(client);
  } catch (error) {
    throw postgresProblem(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
