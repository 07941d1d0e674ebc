import type { MemoryDraft } from './memory.ts';

/** One text to be kept, as every way of saving asks for it. */
export type SaveRequest = {
  readonly draft: MemoryDraft;
  /** The project's name, or null for none. */
  readonly project: string | null;
  readonly supersedes: readonly number[];
  readonly onDuplicate: 'merge' | 'keep' | 'reject';
};
