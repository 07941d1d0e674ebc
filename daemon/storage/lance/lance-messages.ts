// What crosses between the daemon and its vector process.
import type { LanceQueries } from './lance-table.ts';

export type ToLance = { readonly id: number; readonly name: keyof LanceQueries; readonly argument: unknown };

export type FromLance =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

/** Old versions of the table are kept this long: a search that began before a change still reads its version. */
export const keptVersionsMs = 1_000;
