// What crosses between the reader thread and the thread that holds its connection.
import type { MessagePort } from 'node:worker_threads';
import type { PostgresSource } from './connection.ts';

export type PostgresWorkerData = {
  readonly source: PostgresSource;
  readonly port: MessagePort;
  /** One number, set to 1 when an answer is on the port; the reader thread sleeps on it. */
  readonly signal: Int32Array;
  /** One transaction from the first question to the last, which sees the store as it was at the first. */
  readonly isSnapshot: boolean;
};

/** A text with a `name` is parsed and planned once for each connection. `drop` gives the connection up: it leads nowhere. */
export type ToConnection =
  | { readonly id: number; readonly text: string; readonly values: readonly unknown[]; readonly name?: string }
  | 'drop'
  | 'close';

/** `code` is an SQLSTATE or a code of Node. */
export type FromConnection =
  | { readonly id: number; readonly fields: readonly string[]; readonly rows: unknown[][] }
  | { readonly id: number; readonly message: string; readonly code: string | null };
