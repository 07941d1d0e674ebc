// What crosses between the daemon and the thread that reads an upload.
import type { Problem } from '#shared/errors.ts';
import type { StageRequest, StageResult } from './stage-upload.ts';
import type { Staged } from './staging.ts';

export type PageRequest = {
  readonly after: number;
  readonly records: number;
  readonly bytes: number;
  /** Only memories to which a second pass has something to add. */
  readonly again: boolean;
};

export type ToStager =
  | { readonly kind: 'stage'; readonly request: StageRequest }
  /** Reads from a file that was staged before. */
  | { readonly kind: 'open'; readonly staging: string }
  | { readonly kind: 'page'; readonly page: PageRequest };

export type FromStager =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'staged'; readonly result: StageResult }
  | { readonly kind: 'opened' }
  | { readonly kind: 'page'; readonly page: Staged[] }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Text for the log alone. */
  | { readonly kind: 'failure'; readonly failure: string };
