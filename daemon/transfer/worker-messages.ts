// What crosses between the daemon and the thread that reads an upload.

import type { ImportReport } from '#shared/contract/transfer.ts';
import type { Problem } from '#shared/errors.ts';
import type { ApplyRequest, Slice, SliceRequest } from './apply/applier.ts';
import type { StageRequest, StageResult } from './stage-upload.ts';

export type ToStager =
  | { readonly kind: 'stage'; readonly request: StageRequest }
  /** Goes on to store what is staged. */
  | { readonly kind: 'open'; readonly staging: string; readonly request: ApplyRequest }
  | { readonly kind: 'prepare' }
  | { readonly kind: 'store'; readonly request: SliceRequest }
  | { readonly kind: 'report' };

export type FromStager =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'staged'; readonly result: StageResult }
  | { readonly kind: 'opened' }
  | { readonly kind: 'prepared'; readonly more: boolean }
  | { readonly kind: 'stored'; readonly slice: Slice }
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Text for the log alone. */
  | { readonly kind: 'failure'; readonly failure: string };
