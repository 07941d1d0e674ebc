// The life of an import: begun, filled part by part, read and checked in a thread, applied, done. What it is survives the daemon: an import
// that was being applied when the daemon ended goes on by itself, one that was being read is run again.

import { setTimeout as sleep } from 'node:timers/promises';
import { toUtc } from '#daemon/kernel/clock.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import { newUid } from '#daemon/kernel/ids.ts';
import type { ImportPart } from '#daemon/kernel/transfer-streams.ts';
import type { ImportStatus, SourceKind } from '#shared/contract/transfer.ts';
import { LociError } from '#shared/errors.ts';
import { carryOut, type ImportsDeps, type Progress } from './carry-out.ts';
import {
  forgetImports,
  type ImportRow,
  importById,
  importsIn,
  insertImport,
  removeImport,
  requireImport,
  updateImport,
} from './imports.repository.ts';
import { requireAll } from './scopes.ts';

export type StartOptions = {
  readonly from: SourceKind | null;
  readonly project: string | null;
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
};

export type Imports = {
  begin(options: StartOptions, context: CallContext): Promise<ImportStatus>;
  receive(part: ImportPart, context: CallContext): Promise<{ received_bytes: number }>;
  run(uid: string, context: CallContext): Promise<ImportStatus>;
  status(uid: string, context: CallContext): Promise<ImportStatus>;
  cancel(uid: string, context: CallContext): Promise<{ import_id: string; success: boolean }>;
  /** Goes on with what the last daemon was applying; resolves when no small import is stored in part any more. */
  resume(): Promise<void>;
  /** Ends between two transactions. */
  stop(): Promise<void>;
};

type Running = Progress & { readonly work: Promise<void>; readonly abort: AbortController; hasBegun: boolean };

/** What ended is told for so long; what was begun and never ran is dropped. */
const keptMs = 7 * 24 * 60 * 60_000;
const maxUnderWay = 10;
/** An import of at most so many records that a kill has cut is finished before anybody is served: nobody sees a part of it. */
const smallRecords = 1_000;
/** Unless that takes longer. */
const finishWithinMs = 5_000;

export function createImports(deps: ImportsDeps): Imports {
  const running = new Map<number, Running>();
  let queue: Promise<void> = Promise.resolve();
  let stopped = false;

  function statusOf(row: ImportRow): ImportStatus {
    const { done, total, unit } = running.get(row.id) ?? idle(row, deps.uploads.sizeOf(row.uid));
    return {
      import_id: row.uid,
      state: row.state,
      dry_run: row.dry_run === 1,
      received_bytes: deps.uploads.sizeOf(row.uid),
      progress: { done, total, unit },
      report: row.report.report,
      error: row.report.error?.message ?? null,
      error_code: row.report.error?.code ?? null,
      created_at: toUtc(row.created_at),
      updated_at: toUtc(row.updated_at),
    };
  }

  /** One import at a time: two would only take the disk from each other. */
  function enqueue(row: ImportRow): void {
    const abort = new AbortController();
    const work = queue
      .then(() => {
        const run = running.get(row.id);
        if (run !== undefined) run.hasBegun = true;
        return carryOut(deps, row.id, abort.signal, () => running.get(row.id));
      })
      .catch((error: unknown) => fail(row.id, error));
    running.set(row.id, { work, abort, hasBegun: false, done: 0, total: deps.uploads.sizeOf(row.uid), unit: 'bytes' });
    queue = work.finally(() => running.delete(row.id));
  }

  async function fail(id: number, error: unknown): Promise<void> {
    if (stopped) return;
    if (!(error instanceof LociError)) deps.logger.error({ err: error }, 'an import failed');
    const { code, message } =
      error instanceof LociError
        ? error
        : new LociError('internal', 'Loci itself failed at this import: see `loci logs`.');
    const told = { code, message };
    const row = await importById(deps.database.db, id);
    if (row === null) return;
    const canGoOn = row.state === 'applying' && deps.uploads.stagedBytes(row.uid) > 0;
    const state = canGoOn ? 'interrupted' : 'failed';
    await change(row, { state, report: { ...row.report, error: told } });
    if (state === 'failed') deps.uploads.remove(row.uid);
  }

  /** The import as it stands once nobody reads it any more. One that had gone on to be stored in the meantime goes on. */
  async function stopReading(uid: string, userId: number): Promise<ImportRow> {
    const row = await requireImport(deps.database.db, userId, uid);
    const run = running.get(row.id);
    if (run === undefined || row.state !== 'reading') return row;
    run.abort.abort();
    // one that waits for another import ends when its turn comes, and finds nothing to do
    if (run.hasBegun) await run.work;
    const after = await requireImport(deps.database.db, userId, uid);
    if (after.state === 'applying' && !stopped) enqueue(after);
    return after;
  }

  /** What was uploaded, and what was read of it, lie in a folder of the daemon that began the import. */
  function isHere(uid: string): boolean {
    return deps.uploads.stagedBytes(uid) + deps.uploads.sizeOf(uid) > 0;
  }

  async function change(row: ImportRow, patch: Parameters<typeof updateImport>[2]): Promise<void> {
    await deps.database.write(internalContext, (trx) => updateImport(trx, row.id, patch, deps.clock.now()));
  }

  return {
    async begin({ from, project, dryRun, skipInvalid }, context) {
      requireAll('write', 'start_import', context);
      const open = (await importsIn(deps.database.db, ['uploading'])).filter((row) => row.user_id === context.userId);
      // whoever began so many has given up the first
      for (const left of open.slice(0, Math.max(0, open.length - maxUnderWay + 1))) {
        deps.uploads.remove(left.uid);
        await deps.database.write(internalContext, (trx) => removeImport(trx, left.id));
      }
      const nowMs = deps.clock.now();
      const options = { source: from, project, dry_run: dryRun, skip_invalid: skipInvalid };
      const row = { uid: newUid(nowMs), user_id: context.userId, ...options, nowMs };
      return deps.database.write(context, async (trx) => statusOf(await insertImport(trx, row)));
    },

    async receive({ importId, file, offset, bytes }, context) {
      requireAll('write', 'start_import', context);
      const row = await requireImport(deps.database.db, context.userId, importId);
      if (row.state !== 'uploading') {
        throw new LociError('conflict', `This import takes no more bytes: it is ${row.state}.`, {
          state: row.state,
        });
      }
      return { received_bytes: await deps.uploads.write(row.uid, file, offset, bytes) };
    },

    async run(uid, context) {
      requireAll('write', 'run_import', context);
      const row = await requireImport(deps.database.db, context.userId, uid);
      if (running.has(row.id) || ['done', 'refused', 'failed'].includes(row.state)) return statusOf(row);
      if (!isHere(uid)) {
        throw new LociError('conflict', 'Nothing was uploaded for this import: PUT its bytes first.', {
          import_id: uid,
        });
      }
      if (stopped) throw new LociError('unavailable', 'The daemon is stopping: try again in a moment.');
      const state = row.report.report !== null && deps.uploads.stagedBytes(uid) > 0 ? 'applying' : 'reading';
      await change(row, { state, report: { ...row.report, error: null } });
      enqueue(row);
      return statusOf({ ...row, state });
    },

    async status(uid, context) {
      return statusOf(await requireImport(deps.database.db, context.userId, uid));
    },

    async cancel(uid, context) {
      requireAll('write', 'cancel_import', context);
      const row = await stopReading(uid, context.userId);
      if (row.state === 'applying' || row.state === 'done') {
        throw new LociError('conflict', `This import cannot be given up: it is ${row.state}.`, {
          state: row.state,
        });
      }
      deps.uploads.remove(uid);
      return deps.database.write(context, async (trx) => {
        await removeImport(trx, row.id);
        return { import_id: uid, success: true };
      });
    },

    async resume() {
      const beforeMs = deps.clock.now() - keptMs;
      const left = await deps.database.write(internalContext, (trx) => forgetImports(trx, beforeMs));
      for (const uid of left) deps.uploads.remove(uid);
      const ours = async (state: ImportRow['state']) =>
        (await importsIn(deps.database.db, [state])).filter(({ uid }) => !deps.isShared || isHere(uid));
      const small: Promise<void>[] = [];
      for (const row of await ours('applying')) {
        enqueue(row);
        const work = running.get(row.id)?.work;
        if (work !== undefined && row.total <= smallRecords) small.push(work);
      }
      for (const row of await ours('reading')) await change(row, { state: 'interrupted' });
      await Promise.race([Promise.all(small), sleep(finishWithinMs, null, { ref: false })]);
    },

    async stop() {
      stopped = true;
      for (const { abort } of running.values()) abort.abort();
      await queue;
    },
  };
}

function idle({ state, total }: ImportRow, sizeBytes: number): Progress {
  if (state === 'done') return { done: total, total, unit: 'records' };
  return { done: state === 'uploading' ? sizeBytes : 0, total: sizeBytes, unit: 'bytes' };
}
