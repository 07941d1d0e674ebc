// `locid --check`: what the doctor asks where no daemon runs. It stands here because only the daemon's program knows how a store lies on
// disk; it takes the lock, so that nobody opens the store meanwhile, and leaves it as it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataLock } from '#daemon/lifecycle/data-lock.ts';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import type { StoreCheck } from '#shared/store-check.ts';
import { bundledModel } from './embeddings/bundled.ts';
import { bundledModelsFolder } from './embeddings/installed-files.ts';
import { problemOfModel } from './embeddings/model-files.ts';
import { countLanceRows } from './storage/lance/count-lance-rows.ts';
import { checkDatabase, type DatabaseCheck } from './storage/repair/check-database.ts';

export type CheckPaths = Pick<LociPaths, 'data' | 'lock' | 'database' | 'vectors'>;

export type CheckOptions = {
  readonly modelsFolder?: string;
  /** Of a team's store: its address, and the environment that programs are looked for in. */
  readonly team?: { readonly url: string; readonly env: NodeJS.ProcessEnv };
};

/** Never throws for what is wrong with the store: that is the answer. */
export async function checkStore(paths: CheckPaths, options: CheckOptions = {}): Promise<StoreCheck> {
  const { modelsFolder = bundledModelsFolder(), team } = options;
  const model = problemOfModel(join(modelsFolder, bundledModel));
  const nothing = { why: null, schema: null, integrity: null, keyword_index: null, vectors: null, team: null, model };
  if (team !== undefined) {
    const { checkTeam } = await import('./check-team.ts');
    return { ...nothing, store: 'read', team: await checkTeam({ url: team.url, name: 'loci doctor' }, team.env) };
  }
  if (!existsSync(paths.database)) return { ...nothing, store: 'absent' };
  try {
    const lock = takeDataLock(paths.lock);
    if (lock === null) return { ...nothing, store: 'in_use' };
    try {
      const found = checkDatabase(paths.database, join(paths.data, `.check-${process.pid}.db`));
      return {
        ...nothing,
        store: 'read',
        schema: found.schema,
        integrity: found.integrity,
        keyword_index: found.keywordIndex,
        vectors: await vectorsOf(found, paths.vectors),
      };
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof LociError) return { ...nothing, store: 'unreadable', why: error.message };
    throw error;
  }
}

async function vectorsOf({ vectors }: DatabaseCheck, folder: string): Promise<StoreCheck['vectors']> {
  if (vectors === null) return null;
  const { stored, pending, table } = vectors;
  return { stored, pending, table: table === null ? null : await countLanceRows(folder, table) };
}
