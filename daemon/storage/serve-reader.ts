// The reader thread: one read-only connection (SQLite's own, or PostgreSQL's behind the same methods), one question at a time in the order they came. A question that waits for
// vectors lets the next one pass; a `publish` takes effect before any question sent after it.
import { parentPort, workerData } from 'node:worker_threads';
import { errorToProblem, LociError } from '#shared/errors.ts';
import { openReadOnly } from './open-read-only.ts';
import { postgresQuestions, unflushedThings } from './postgres/questions.ts';
import type { FromReader, ReaderWorkerData, ToReader } from './reader-messages.ts';
import { readerQueries } from './reader-queries.ts';
import type { ReaderDatabase, ReaderState, ReaderTable } from './reader-query.ts';
import { sqliteProblem } from './sqlite-errors.ts';
import { createHeldVectors } from './vectors/held-vectors.ts';

/** What answers a question; `argument` is what the question's type says. */
export type Answerer = (db: ReaderDatabase, argument: never, state: ReaderState) => unknown;

/** Answers the questions of storage, and `more` that rooms above it have. */
export function serveReader(more: Readonly<Record<string, Answerer>>): void {
  const { db, queries: own, freshThings } = open(workerData as ReaderWorkerData);
  const state: ReaderState = { held: createHeldVectors(db, Date.now, freshThings), queries: own };
  const queries: Readonly<Record<string, Answerer>> = { ...own, ...more };

  parentPort?.on('message', (message: ToReader) => {
    if (message.kind === 'publish') state.held.publish(message.changes);
    else if (message.kind === 'reread') state.held.reread(message.keys);
    else if (message.kind === 'question') void answer(message);
    else {
      db.close();
      parentPort?.close();
    }
  });

  async function answer({ id, name, argument }: Extract<ToReader, { kind: 'question' }>): Promise<void> {
    try {
      const given = queries[name]?.(db, argument as never, state);
      send({ id, answer: given instanceof Promise ? await given : given });
    } catch (error) {
      const known = sqliteProblem(error);
      if (known instanceof LociError) send({ id, problem: errorToProblem(known) });
      else send({ id, failure: known instanceof Error ? (known.stack ?? known.message) : String(known) });
    }
  }
}

function open({ source }: ReaderWorkerData): { db: ReaderDatabase; queries: ReaderTable; freshThings?: string } {
  const db = openReadOnly(source);
  if ('postgres' in source) {
    return { db, queries: { ...readerQueries, ...postgresQuestions }, freshThings: unflushedThings };
  }
  db.pragma('cache_size = -8000');
  return { db, queries: readerQueries };
}

function send(message: FromReader): void {
  parentPort?.postMessage(message);
}
