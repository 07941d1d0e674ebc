// What crosses between the daemon and the thread that reads an upload.

import type { ImportReport } from '#shared/contract/transfer.ts';
import type { Problem } from '#shared/errors.ts';
import type { ApplyRequest, Slice, SliceRequest } from './apply/applier.ts';
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
  /** Goes on to what is staged: to store it in that file, or to hand it out by pages. */
  | {
      readonly kind: 'open';
      readonly staging: string;
      readonly store: (ApplyRequest & { readonly file: string }) | null;
    }
  | { readonly kind: 'page'; readonly page: PageRequest }
  | { readonly kind: 'prepare' }
  | { readonly kind: 'store'; readonly request: SliceRequest }
  | { readonly kind: 'report' };

export type FromStager =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'staged'; readonly result: StageResult }
  | { readonly kind: 'opened' }
  | { readonly kind: 'page'; readonly page: Staged[] }
  | { readonly kind: 'prepared'; readonly more: boolean }
  | { readonly kind: 'stored'; readonly slice: Slice }
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Text for the log alone. */
  | { readonly kind: 'failure'; readonly failure: string };
