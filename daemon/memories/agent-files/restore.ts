import type { CallContext } from '#daemon/kernel/context.ts';
import type { MemoryDeps } from '../deps.ts';
import { withoutClaim } from '../in-small-transactions.ts';
import { compressedFile, compressedPaths, dropOriginal } from './compressed-files.repository.ts';
import { readWhole, replaceFile } from './replace-file.ts';
import { hashOf } from './stub.ts';

export type Restoration = {
  readonly restored: readonly { readonly file: string; readonly bytes: number }[];
  readonly leftAlone: readonly { readonly file: string; readonly why: string }[];
};

/** Writes the originals of memory files back, byte for byte. A file that is no longer the stub is left alone and its original kept. */
export async function restoreFiles(
  deps: MemoryDeps,
  { dryRun }: { dryRun: boolean },
  context: CallContext,
): Promise<Restoration> {
  const restored: Restoration['restored'][number][] = [];
  const leftAlone: Restoration['leftAlone'][number][] = [];
  for (const path of await compressedPaths(deps.database.db, context.userId)) {
    const why = await restoreOne(deps, path, dryRun, context);
    if (typeof why === 'string') leftAlone.push({ file: path, why });
    else if (why !== null) restored.push({ file: path, bytes: why });
  }
  return { restored, leftAlone };
}

/** The size of what was written, why nothing was, or null where the file is the original already. */
async function restoreOne(
  deps: MemoryDeps,
  path: string,
  dryRun: boolean,
  context: CallContext,
): Promise<number | string | null> {
  const kept = await compressedFile(deps.database.db, context.userId, path);
  if (kept === null) return null;
  const file = await readWhole(path);
  if (file === null) return 'it is gone';
  const isOriginal = file.bytes.equals(kept.original);
  if (!isOriginal && hashOf(file.bytes) !== kept.stubHash) return 'it was changed since';
  if (dryRun) return isOriginal ? null : kept.original.length;
  if (!isOriginal && !(await replaceFile(file, kept.original))) return 'it changed meanwhile or cannot be written';
  await deps.database.write(withoutClaim(context), (trx) => dropOriginal(trx, path));
  return isOriginal ? null : kept.original.length;
}
