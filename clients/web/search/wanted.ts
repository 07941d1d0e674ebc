import type { z } from 'zod';
import type { memoryLine } from '#shared/contract/browse.ts';

/** A memory as the list shows it. */
export type Line = z.output<typeof memoryLine>;

/** What the list is asked to show; null where everything is wanted. */
export type Wanted = {
  readonly query: string;
  readonly project: string | null;
  readonly type: string | null;
  readonly tier: string | null;
  readonly status: string | null;
  readonly agent: string | null;
  readonly age: string | null;
  readonly sort: string | null;
};
