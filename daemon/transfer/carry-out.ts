// One import from its upload to its end: read and checked in a thread, then applied by it, each half from where an earlier run came to.
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { PendingEmbeddings } from '#daemon/memories/index.ts';
import type { ReaderSource } from '#daemon/storage/reader-messages.ts';
import type { SourceKind } from '#shared/contract/transfer.ts';
import { LociError } from '#shared/errors.ts';
import { type ApplyingDeps, applyStaged } from './apply/apply-staged.ts';
import { type ImportRow, importById, updateImport, userUidOf } from './imports.repository.ts';
import { startStagingThread } from './staging-thread.ts';
import type { UploadFolder } from './upload-folder.ts';

export type ImportsDeps = ApplyingDeps & {
  readonly logger: Logger;
  readonly pending: Pick<PendingEmbeddings, 'wake'>;
  readonly uploads: UploadFolder;
  /** Where the import's thread finds the store. */
  readonly source: ReaderSource;
  /** Whether other daemons write there too: their imports are theirs to go on with. */
  readonly isShared: boolean;
  readonly secrets: 'redact' | 'refuse';
};

/** How far an import is: bytes while it is read, records while it is applied. */
export type Progress = { done: number; total: number; unit: 'bytes' | 'records' };

/** Reads and checks what is not staged yet, and applies what is. */
export async function carryOut(
  deps: ImportsDeps,
  id: number,
  signal: AbortSignal,
  running: () => Progress | undefined,
): Promise<void> {
  const row = await importById(deps.database.db, id);
  if (row === null || signal.aborted) return;
  if (row.state === 'applying' && deps.uploads.stagedBytes(row.uid) === 0) {
    throw new LociError(
      'not_found',
      'What was left of this import is gone: import the file again, what is stored stays.',
    );
  }
  const thread = startStagingThread();
  const stop = (): void => void thread.end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const staged = row.state === 'applying' ? row : await stage(deps, row, thread, running());
    if (staged === null) return;
    const { report } = staged.report;
    if (report === null) throw new Error('an import is applied that was never read');
    await thread.open(deps.uploads.stagingOf(row.uid), {
      store: deps.source,
      importId: id,
      userId: row.user_id,
      pass: staged.pass,
      position: staged.position,
      report,
    });
    const progress = running();
    if (progress !== undefined) Object.assign(progress, { done: 0, total: staged.total, unit: 'records' });
    const applied = await applyStaged(deps, {
      thread,
      signal,
      progress: (done) => progress !== undefined && Object.assign(progress, { done: Math.min(done, staged.total) }),
    });
    if (applied === 'stopped') return;
    await deps.database.write(internalContext, (trx) =>
      updateImport(trx, id, { state: 'done', report: { report: applied, error: null } }, deps.clock.now()),
    );
    deps.uploads.remove(row.uid);
    deps.pending.wake();
  } catch (error) {
    // what a stop cut off is no failure: the next start goes on
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.end();
  }
}

/** The row as it is applied; null for a dry run and for what was refused, which end here. */
async function stage(
  deps: ImportsDeps,
  row: ImportRow,
  thread: ReturnType<typeof startStagingThread>,
  progress: Progress | undefined,
): Promise<ImportRow | null> {
  const { uid } = row;
  const request = {
    upload: deps.uploads.uploadOf(uid),
    staging: deps.uploads.stagingOf(uid),
    store: deps.source,
    userId: row.user_id,
    userUid: await userUidOf(deps.database.db, row.user_id),
    from: row.source as SourceKind | null,
    project: row.project,
    skipInvalid: row.skip_invalid === 1,
    dryRun: row.dry_run === 1,
    secrets: deps.secrets,
    nowMs: deps.clock.now(),
  };
  const result = await thread.stage(
    request,
    (bytes) => progress !== undefined && Object.assign(progress, { done: bytes }),
  );
  const isEnd = !result.isGood || request.dryRun;
  const state = !result.isGood ? 'refused' : request.dryRun ? 'done' : 'applying';
  const report = { report: result.report, error: null };
  const patch = { state, source: result.report.source, total: result.total, report, pass: 0, position: 0 } as const;
  await deps.database.write(internalContext, (trx) => updateImport(trx, row.id, patch, deps.clock.now()));
  if (!isEnd) return { ...row, ...patch };
  deps.uploads.remove(uid);
  return null;
}
