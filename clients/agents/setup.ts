// Plans what setup writes, and writes it. The ledger is written before the file: a crash between the two leaves an entry for something that
// is not there, which undoing passes over, and never something of ours that nobody knows of.
import { LociError } from '#shared/errors.ts';
import type { AgentName, LociProgram, Machine } from './agent.ts';
import { agents } from './agents.ts';
import type { Edit } from './edits/edit.ts';
import { type FileChange, refusal } from './edits/file-change.ts';
import { type OwnedEdit, placeEdits, sha256Of, takeOutEdits } from './edits/place-edits.ts';
import { readState, realTarget, refuseReadOnly, replaceFile } from './edits/safe-file.ts';
import { type Ledger, type LedgerFile, readLedger, removeBackups, writeBackup, writeLedger } from './ledger.ts';

export type SetupRequest = {
  readonly machine: Machine;
  readonly program: LociProgram;
  readonly names: readonly AgentName[];
  readonly hooks: boolean;
  /** Edits of files that belong to no agent. */
  readonly more?: readonly OwnedEdit[];
};

export type SetupPlan = {
  readonly changes: readonly FileChange[];
  /** For each agent what is left to do, as sentences. */
  readonly notes: readonly { readonly agent: AgentName; readonly text: string }[];
};

/** Reads every file and says what would become of it; writes nothing. `folder` is that of the ledger. */
export function planSetup(folder: string, { machine, program, names, hooks, more = [] }: SetupRequest): SetupPlan {
  const ledger = readLedger(folder);
  const plans = names.map((agent) => ({ agent, plan: agents[agent].plan({ machine, program, hooks }) }));
  const edits = plans.flatMap(({ agent, plan }) => plan.edits.map((edit): OwnedEdit => ({ owner: agent, edit })));
  return {
    changes: byTarget([...edits, ...more]).map((group) => planFile(group, ledger)),
    notes: plans.flatMap(({ agent, plan }) => plan.notes.map((text) => ({ agent, text }))),
  };
}

/** Writes what was planned and answers the changes as they came out: one that failed is `refused` and the others go on. */
export function applySetup(
  folder: string,
  changes: readonly FileChange[],
  atLast?: (file: string) => void,
): FileChange[] {
  const before = readLedger(folder);
  const open = changes.filter(({ state }) => state === 'create' || state === 'change');
  const entries = new Map(open.map((change) => [change.target, entryOf(folder, change)]));
  const others = before.files.filter(({ target }) => !entries.has(target));
  const folders = [...(before.folders ?? [])];
  const write = (): void => writeLedger(folder, { version: 1, folders, files: [...others, ...entries.values()] });
  if (open.length > 0) write();
  const outcomes = changes.map((change) => {
    if (change.after === null || !entries.has(change.target)) return change;
    try {
      const { target, mode, edits } = change;
      const isDurable = edits?.some(({ role }) => role !== 'text') === true;
      const atEnd = (): void => atLast?.(target);
      folders.push(...replaceFile(target, change.before, change.after, { mode, isDurable, atLast: atEnd }));
      return change;
    } catch (error) {
      if (!(error instanceof LociError)) throw error;
      entries.delete(change.target);
      if (change.known !== null) entries.set(change.target, change.known);
      return refusal(change, error);
    }
  });
  if (open.length > 0) {
    write();
    removeBackups(
      folder,
      open.flatMap(({ known }) => known?.original ?? []),
      readLedger(folder),
    );
  }
  return outcomes;
}

type Group = { file: string; target: string; edits: OwnedEdit[] };

/** Two agents may share a file, by name or by a link. */
function byTarget(edits: readonly OwnedEdit[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of edits) {
    const target = targetOf(one.edit);
    const group = groups.get(target);
    if (group === undefined) groups.set(target, { file: one.edit.file, target, edits: [one] });
    else group.edits.push(one);
  }
  return [...groups.values()];
}

/** A link that leads nowhere is refused when its file is planned. */
function targetOf({ file }: Edit): string {
  try {
    return realTarget(file);
  } catch {
    return file;
  }
}

function planFile({ file, target, edits }: Group, ledger: Ledger): FileChange {
  const owners = [...new Set(edits.map(({ owner }) => owner))];
  const known = ledger.files.find((one) => one.target === target) ?? null;
  const base = { file, target, owners, known };
  try {
    realTarget(file);
    const before = readState(target);
    const text = before === null ? null : decode(before.bytes);
    const placed = placeEdits(text, edits, known?.edits ?? []);
    const after = Buffer.from(placed.text);
    const mode = before?.mode ?? (owners.includes('project') ? 0o644 : 0o600);
    const isSame = before?.bytes.equals(after) === true;
    if (!isSame) refuseReadOnly(before);
    const state = isSame ? 'same' : before === null ? 'create' : 'change';
    return { ...base, state, why: null, before, after, mode, edits: placed.written };
  } catch (error) {
    if (error instanceof LociError) return refusal(base, error);
    throw error;
  }
}

/** Throws `invalid_input` for bytes that are no UTF-8, which writing as text would spoil. */
export function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LociError('invalid_input', 'is not UTF-8 text');
  }
}

function entryOf(folder: string, change: FileChange): LedgerFile {
  const { file, target, after, mode, edits, known } = change;
  return {
    file,
    target,
    sha256: sha256Of(after ?? ''),
    mode: known?.mode ?? mode,
    original: originalOf(folder, change),
    edits: edits ?? [],
  };
}

/** The backup of the bytes to which undoing leads back: those before our first run, or, where others have written since, theirs without us. */
function originalOf(folder: string, { target, before, known }: FileChange): string | null {
  if (before === null) return null;
  if (known === null) return writeBackup(folder, target, before.bytes);
  if (sha256Of(before.bytes) === known.sha256) return known.original;
  const { text } = takeOutEdits(decode(before.bytes), known.edits);
  return text === null ? null : writeBackup(folder, target, Buffer.from(text));
}
