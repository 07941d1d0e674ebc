import type { memoryTypes as known } from '#shared/contract/memory-record.ts';

/** The types of a memory; the contract's own list would bring its schema library along. */
export const memoryTypes = ['fact', 'decision', 'preference', 'task', 'context'] as const satisfies typeof known;
