import type { LociError } from '#shared/errors.ts';
import type { LedgerFile } from '../ledger.ts';
import type { Written } from './place-edits.ts';
import type { FileState } from './safe-file.ts';

/** What setup or its undoing would do to one file; nothing is written before it is applied. */
export type FileChange = {
  /** As the agent names it; `target` is where its links lead. */
  readonly file: string;
  readonly target: string;
  /** The agents that it is for. */
  readonly owners: readonly string[];
  readonly state: 'create' | 'change' | 'remove' | 'same' | 'kept' | 'refused';
  /** Why it is kept or refused: the second half of a sentence that begins with the file. */
  readonly why: string | null;
  readonly before: FileState;
  /** Null for no file. */
  readonly after: Buffer | null;
  /** Permission bits that it gets. */
  readonly mode: number;
  /** What the ledger says afterwards, but for backup and folders; null for nothing. */
  readonly edits: readonly Written[] | null;
  readonly known: LedgerFile | null;
};

/** A change that is none, because of an error. */
export function refusal(
  change: Pick<FileChange, 'file' | 'target' | 'owners' | 'known'>,
  error: LociError,
): FileChange {
  const state = error.code === 'rejected_by_policy' ? 'kept' : 'refused';
  return { ...change, state, why: error.message, before: null, after: null, mode: 0, edits: null };
}
