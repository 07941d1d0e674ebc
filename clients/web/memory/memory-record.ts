import type { memoryGet } from '#shared/contract/lifecycle.ts';
import type { OutputOf } from '#shared/contract/operation.ts';

/** A memory as the page shows it. */
export type MemoryRecord = OutputOf<typeof memoryGet>;
