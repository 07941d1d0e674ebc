// Takes in what hooks have left while no daemon answered, and what they leave when it does: the hook writes an entry first and only then
// knocks, so that nothing is lost whatever happens to either. An entry is claimed by renaming it, worked on, and removed when done.
import { readdirSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import {
  maxSpoolEntries,
  maxSpoolEntryBytes,
  parseSpoolEntry,
  type SpoolEntry,
  spoolSuffix,
} from '#shared/spool-entry.ts';
import type { HookDeps } from './deps.ts';
import { sweepTranscript } from './sweep.ts';
import { takeFile } from './take-file.ts';

export type Taken = { readonly taken: number; readonly failed: number };

export type Spool = {
  /** Entries that wait. */
  waiting(): number;
  /** Takes in all that waits, one after the other; a call while another works waits for a round that saw its entries. */
  takeIn(): Promise<Taken>;
  stop(): Promise<void>;
};

const claimedSuffix = '.taken';
/** An entry that fails for no reason of its own is tried in so many starts or knocks. */
const maxAttempts = 3;
const sweepLimit = 5;

export function createSpool(deps: HookDeps): Spool {
  const { spoolFolder: folder } = deps;
  const { logger } = deps.memories;
  const aborter = new AbortController();
  const attempts = new Map<string, number>();
  let round: Promise<Taken> = Promise.resolve({ taken: 0, failed: 0 });

  async function takeAll(): Promise<Taken> {
    let taken = 0;
    let failed = 0;
    for (const name of entryNames(folder)) {
      if (aborter.signal.aborted) break;
      if (await takeOne(name)) taken += 1;
      else failed += 1;
    }
    return { taken, failed };
  }

  /** False for an entry that could not be taken. */
  async function takeOne(name: string): Promise<boolean> {
    const base = name.replace(claimedSuffix, '');
    const claimed = join(folder, `${base}${claimedSuffix}`);
    try {
      if (!name.endsWith(claimedSuffix)) renameSync(join(folder, name), claimed);
      const entry = readEntry(claimed);
      if (entry !== null) await work(entry);
      remove(claimed);
      attempts.delete(base);
      return entry !== null;
    } catch (error) {
      const isOver = error instanceof LociError && error.code !== 'unavailable';
      const count = (attempts.get(base) ?? 0) + 1;
      attempts.set(base, count);
      logger.warn({ err: error, kind: base.split('-', 1)[0], count }, 'what a hook left could not be taken in');
      if (isOver || count >= maxAttempts) remove(claimed);
      return false;
    }
  }

  async function work({ kind, path, agent, session, folder: cwd }: SpoolEntry): Promise<void> {
    const context: CallContext = { ...internalContext, agent, session, folder: cwd, signal: aborter.signal };
    const request = { path, agent, session, project: null };
    if (kind === 'file') await takeFile(deps, request, context);
    else await sweepTranscript(deps, { ...request, limit: sweepLimit, dryRun: false }, context);
  }

  return {
    waiting: () => entryNames(folder).length,
    takeIn() {
      round = round.then(takeAll, takeAll);
      return round;
    },
    async stop() {
      aborter.abort();
      await round.catch(() => undefined);
    },
  };
}

function entryNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(spoolSuffix) || name.endsWith(`${spoolSuffix}${claimedSuffix}`))
      .sort()
      .slice(0, maxSpoolEntries);
  } catch {
    return [];
  }
}

function readEntry(file: string): SpoolEntry | null {
  if (statSync(file).size > maxSpoolEntryBytes) return null;
  return parseSpoolEntry(readFileSync(file, 'utf8'));
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // gone already
  }
}
