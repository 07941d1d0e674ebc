// What setup has written where, so that it can be taken back: for each file the checksum of what we left there, the bytes that were there
// before, and each edit. It lies in Loci's own state folder, owner only, because the files of agents hold keys.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '#shared/errors.ts';
import { sha256Of, type Written } from './edits/place-edits.ts';

export type LedgerFile = {
  /** As the agent names it. */
  readonly file: string;
  /** Where its links led. */
  readonly target: string;
  /** Of the bytes that we left there. */
  readonly sha256: string;
  /** Permission bits that it had before. */
  readonly mode: number;
  /** Name of the backup of what was there before; null for nothing. */
  readonly original: string | null;
  readonly edits: readonly Written[];
};

export type Ledger = {
  readonly version: 1;
  readonly files: readonly LedgerFile[];
  /** Folders that we made, outermost first. */
  readonly folders?: readonly string[];
};

/** Folder of ledger and backups below Loci's state folder. */
export function setupFolder(state: string): string {
  return join(state, 'setup');
}

/** Throws `conflict` for a ledger that cannot be read: without it nothing can be taken back, so it must not be overwritten. */
export function readLedger(folder: string): Ledger {
  let text: string;
  try {
    text = readFileSync(join(folder, 'ledger.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, files: [] };
    throw new LociError('conflict', 'The ledger of the setup cannot be read: check who owns the state folder of Loci.');
  }
  try {
    const ledger = JSON.parse(text) as Ledger;
    if (ledger.version === 1 && Array.isArray(ledger.files)) return ledger;
  } catch {
    // said below
  }
  throw new LociError(
    'conflict',
    'The ledger of the setup is damaged: move setup/ledger.json of the state folder away.',
  );
}

export function writeLedger(folder: string, ledger: Ledger): void {
  makePrivate(folder);
  const draft = join(folder, 'ledger.json.draft');
  writeFileSync(draft, `${JSON.stringify(ledger, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, join(folder, 'ledger.json'));
}

/** Keeps the bytes and answers the name under which they can be read again. */
export function writeBackup(folder: string, target: string, bytes: Buffer): string {
  const name = `${sha256Of(target).slice(0, 12)}-${sha256Of(bytes).slice(0, 12)}`;
  makePrivate(join(folder, 'backups'));
  const file = join(folder, 'backups', name);
  writeFileSync(file, bytes, { mode: 0o600, flush: true });
  chmodSync(file, 0o600);
  return name;
}

/** Throws `conflict` when it is not there any more. */
export function readBackup(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, 'backups', name));
  } catch {
    throw new LociError('conflict', 'has lost its backup');
  }
}

/** Removes backups that no entry of the ledger names: they hold what the agents' files hold. */
export function removeBackups(folder: string, names: readonly string[], ledger: Ledger): void {
  const needed = new Set(ledger.files.map(({ original }) => original));
  for (const name of names) if (!needed.has(name)) rmSync(join(folder, 'backups', name), { force: true });
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
