// What crosses between the main thread and the reader thread.
import type { Problem } from '#shared/errors.ts';
import type { PostgresSource } from './postgres/connection.ts';
import type { ThingKey, VectorChange } from './search-types.ts';

/** Where a store's reader reads. */
export type ReaderSource = { readonly file: string } | { readonly postgres: PostgresSource };

export type ReaderWorkerData = { readonly source: ReaderSource };

export type ToReader =
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly name: string;
      readonly argument: unknown;
    }
  | { readonly kind: 'publish'; readonly changes: readonly VectorChange[] }
  /** Things that another daemon changed: what is held of them is read again. */
  | { readonly kind: 'reread'; readonly keys: readonly (ThingKey & { readonly rev: number })[] }
  | { readonly kind: 'close' };

/** `problem` is for callers; `failure` is text for the log alone. */
export type FromReader =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly id: number; readonly failure: string };
