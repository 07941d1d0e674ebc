// The reader thread's questions were written for a database that answers at once. Here PostgreSQL is that database: the thread asks another
// one, which holds the connection, and sleeps until the answer is there. It is made for nothing but these questions, so nobody else waits;
// and all that is asked of a store, and tested, is the same text on both engines. Questions that would ask too often this way (a search)
// have a statement of their own (`questions.ts`).
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { workerFile } from '#daemon/kernel/worker-file.ts';
import { LociError } from '#shared/errors.ts';
import type { ReaderDatabase } from '../reader-query.ts';
import type { PostgresSource } from './connection.ts';
import type { FromConnection, PostgresWorkerData, ToConnection } from './connection-messages.ts';
import { postgresProblem } from './postgres-errors.ts';
import { isLost, lostError } from './pulse.ts';
import { type TranslatedQuery, translateQuery } from './translate-query.ts';

/** Longer than the server lets a statement run. */
const patienceMs = 75_000;
/** How often a thread that waits looks whether the database is lost. */
const lookEveryMs = 250;

type Value = string | number | null | Uint8Array;
type Row = Record<string, unknown>;

/** A read-only connection behind the methods of better-sqlite3 that questions use. */
export function openBlockingDatabase(
  source: PostgresSource,
  options: { readonly isSnapshot?: boolean } = {},
): ReaderDatabase {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerFile('postgres-worker'), {
    name: 'loci-postgres',
    workerData: { source, port: port2, signal, isSnapshot: options.isSnapshot === true } satisfies PostgresWorkerData,
    transferList: [port2],
  });
  worker.unref();
  let lastId = 0;
  let lastName = 0;

  const query: Query = (text, values, name) => {
    if (isLost(source.pulse)) throw lostError();
    lastId += 1;
    const until = performance.now() + patienceMs;
    Atomics.store(signal, 0, 0);
    port.postMessage({ id: lastId, text, values, ...(name === undefined ? {} : { name }) } satisfies ToConnection);
    for (;;) {
      const answer = (receiveMessageOnPort(port) as { message: FromConnection } | undefined)?.message;
      if (answer === undefined) {
        const leftMs = until - performance.now();
        if (isLost(source.pulse)) {
          port.postMessage('drop' satisfies ToConnection);
          throw lostError();
        }
        if (leftMs <= 0) {
          throw new LociError('unavailable', 'The team database does not answer: try again in a moment.', {});
        }
        Atomics.wait(signal, 0, 0, Math.min(leftMs, lookEveryMs));
        Atomics.store(signal, 0, 0);
        continue;
      }
      if (answer.id !== lastId) continue; // of a question that was given up
      if ('rows' in answer) return answer;
      throw postgresProblem(
        Object.assign(new Error(answer.message), answer.code === null ? {} : { code: answer.code }),
      );
    }
  };

  return {
    prepare(sql: string) {
      lastName += 1;
      return statement(translateQuery(sql), query, `q${lastName}`);
    },
    storeVersion: () => String(query('SELECT pg_current_snapshot()::text', []).rows[0]?.[0]),
    openSnapshot: () => openBlockingDatabase(source, { isSnapshot: true }),
    close() {
      port.postMessage('close' satisfies ToConnection);
      port.close();
    },
  } as unknown as ReaderDatabase;
}

type Query = (
  text: string,
  values: readonly Value[],
  name?: string,
) => { readonly fields: readonly string[]; readonly rows: unknown[][] };

function statement({ text, parameters }: TranslatedQuery, query: Query, name: string) {
  let shape: (fields: readonly string[], row: unknown[]) => unknown = toRow;
  let timesAsked = 0;
  const all = (...given: unknown[]): unknown[] => {
    timesAsked += 1;
    // a text that is asked once is planned for its own values, and the server need not keep it
    const { fields, rows } = query(text, valuesOf(parameters, given), timesAsked > 1 ? name : undefined);
    return rows.map((row) => shape(fields, row.map(asBuffer)));
  };
  const prepared = {
    all,
    get: (...given: unknown[]) => all(...given)[0],
    iterate: (...given: unknown[]) => all(...given)[Symbol.iterator](),
    pluck() {
      shape = (_, row) => row[0];
      return prepared;
    },
    raw() {
      shape = (_, row) => row;
      return prepared;
    },
  };
  return prepared;
}

/** Positional values in order; named ones from the object that holds them. */
function valuesOf(parameters: TranslatedQuery['parameters'], given: readonly unknown[]): Value[] {
  const named = given.find(isPlain) ?? {};
  const positional = given.filter((value) => !isPlain(value));
  return parameters.map((parameter) => {
    const value = typeof parameter === 'number' ? positional[parameter] : named[parameter];
    if (value === undefined) throw new Error(`a question without its parameter ${parameter}`);
    return value as Value;
  });
}

function isPlain(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

/** Bytes cross threads as an array of numbers; better-sqlite3 gives a Buffer. */
function asBuffer(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function toRow(fields: readonly string[], row: unknown[]): Row {
  return Object.fromEntries(fields.map((field, index) => [field, row[index]]));
}
