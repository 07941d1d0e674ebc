// Takes back what setup wrote. A file that nobody has touched since gets its old bytes and mode; of one that was changed only our entries
// go; and an entry that a person changed is theirs now: it stays, and is reported.
import { LociError } from '#shared/errors.ts';
import { type FileChange, refusal } from './edits/file-change.ts';
import { sha256Of, takeOutEdits, type Written } from './edits/place-edits.ts';
import { readState, removeFile, removeFolders, replaceFile } from './edits/safe-file.ts';
import { type Ledger, type LedgerFile, readBackup, readLedger, removeBackups, writeLedger } from './ledger.ts';
import { decode } from './setup.ts';

/** What undoing would do to each file; `isWanted` picks by owner. Writes nothing. */
export function planUndo(folder: string, isWanted: (owner: string, file: LedgerFile) => boolean): FileChange[] {
  return readLedger(folder)
    .files.filter((file) => file.edits.some(({ owner }) => isWanted(owner, file)))
    .map((known) => planFile(folder, known, isWanted));
}

/** Writes what was planned and answers the changes as they came out. The ledger comes last: what is gone already, the next run passes over. */
export function applyUndo(folder: string, changes: readonly FileChange[]): FileChange[] {
  let ledger = readLedger(folder);
  const outcomes = changes.map((change) => {
    if (change.known === null || change.state === 'refused') return change;
    try {
      if (change.state === 'remove') removeFile(change.target, change.before);
      if (change.state === 'change' && change.after !== null) {
        replaceFile(change.target, change.before, change.after, { mode: change.mode });
      }
      ledger = forget(ledger, change, change.known);
      return change;
    } catch (error) {
      if (error instanceof LociError) return refusal(change, error);
      throw error;
    }
  });
  ledger = { ...ledger, folders: removeFolders(ledger.folders ?? []) };
  writeLedger(folder, ledger);
  removeBackups(
    folder,
    changes.flatMap(({ known }) => known?.original ?? []),
    ledger,
  );
  return outcomes;
}

function planFile(
  folder: string,
  known: LedgerFile,
  isWanted: (owner: string, file: LedgerFile) => boolean,
): FileChange {
  const { file, target } = known;
  const mine = known.edits.filter(({ owner }) => isWanted(owner, known));
  const base = { file, target, owners: [...new Set(mine.map(({ owner }) => owner))], known };
  try {
    const before = readState(target);
    const others = known.edits.filter((one) => !mine.includes(one));
    if (before === null) return { ...base, state: 'same', why: null, before, after: null, mode: 0, edits: others };
    const { after, kept } = afterUndo(folder, known, { bytes: before.bytes, mine, isAll: others.length === 0 });
    const mode = known.original === null ? before.mode : known.mode;
    const why = kept.length === 0 ? null : `has ${namesOf(kept)}, which you have changed: take it out yourself`;
    const isSame = after?.equals(before.bytes) === true;
    const state = after === null ? 'remove' : isSame ? (kept.length > 0 ? 'kept' : 'same') : 'change';
    return { ...base, state, why, before, after, mode, edits: [...others, ...kept] };
  } catch (error) {
    if (error instanceof LociError) return refusal(base, error);
    throw error;
  }
}

type Undone = { readonly after: Buffer | null; readonly kept: readonly Written[] };

function afterUndo(
  folder: string,
  known: LedgerFile,
  { bytes, mine, isAll }: { bytes: Buffer; mine: readonly Written[]; isAll: boolean },
): Undone {
  if (isAll && sha256Of(bytes) === known.sha256) {
    return { after: known.original === null ? null : readBackup(folder, known.original), kept: [] };
  }
  const { text, kept } = takeOutEdits(decode(bytes), mine);
  const isEmpty = text === null || (known.original === null && /^\uFEFF?\s*(\{\s*\})?\s*$/.test(text));
  return { after: isEmpty && kept.length === 0 ? null : Buffer.from(text ?? bytes), kept };
}

function namesOf(kept: readonly Written[]): string {
  const names = kept.map((one) => ('path' in one ? `\`${one.path.join('.')}\`` : 'text of ours'));
  return names.join(' and ');
}

/** Edits that are still there keep their place in the ledger. */
function forget(ledger: Ledger, { target, edits, after }: FileChange, known: LedgerFile): Ledger {
  const others = ledger.files.filter((one) => one.target !== target);
  if (edits === null || edits.length === 0) return { ...ledger, files: others };
  return { ...ledger, files: [...others, { ...known, edits, sha256: after === null ? known.sha256 : partlyUndone }] };
}

/** No bytes have this sum: what is left of ours in a file is never undone by putting back the whole. */
const partlyUndone = 'partly undone';
