// What crosses between the main thread and the reader thread.
import type { Problem } from '#shared/errors.ts';
import type { VectorChange } from './search-types.ts';

export type ReaderWorkerData = { readonly file: string };

export type ToReader =
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly name: string;
      readonly argument: unknown;
    }
  | { readonly kind: 'publish'; readonly changes: readonly VectorChange[] }
  | { readonly kind: 'close' };

/** `problem` is for callers; `failure` is text for the log alone. */
export type FromReader =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly id: number; readonly failure: string };
