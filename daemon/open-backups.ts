// The room of backups over the files and settings of this daemon.
import { resolve } from 'node:path';
import {
  type BackupDeps,
  type Backups,
  backupOperations,
  createBackups,
  type Exchange,
  runInThread,
} from '#daemon/backups/index.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import type { StoreOptions } from './store-options.ts';

export type BackupRoom = {
  readonly backups: Backups;
  /** Runs an operation of the room; input is parsed already. */
  handle(name: string, input: never, context: CallContext): Promise<unknown>;
};

export type RoomDeps = {
  readonly exchange: Exchange;
  /** Calls an operation of the open store. */
  readonly call: Invoke;
};

export function openBackupRoom(options: Omit<StoreOptions, 'backups'>, { exchange, call }: RoomDeps): BackupRoom {
  const { paths, clock, logger } = options;
  const settings = options.settings.values;
  const url = settings['storage.url'];
  const deps: BackupDeps = {
    files: { database: paths.database, data: paths.data, vectors: paths.vectors, backups: backupFolderOf(options) },
    ...(url === null ? {} : { team: { source: { url, name: 'loci backup' }, env: options.env, logger } }),
    retention: { daily: settings['backup.daily'], weekly: settings['backup.weekly'] },
    clock,
    logger,
    exchange,
    runTask: runInThread,
    async refile(memories) {
      for (const userId of new Set(memories.map((memory) => memory.userId))) {
        const ids = memories.filter((memory) => memory.userId === userId).map(({ id }) => id);
        await call('rebuild_embeddings', { memory_ids: ids }, { ...internalContext, userId });
      }
    },
  };
  const backups = createBackups(deps);
  const registry = createRegistry(backupOperations(backups));
  return {
    backups,
    async handle(name, input, context) {
      const operation = registry.get(name);
      if (operation === undefined) throw new Error(`the backups have no operation ${name}`);
      return operation.handle(input, context);
    },
  };
}

/** Setting `backup.folder` (from the data folder, unless it is absolute), or the folder beside the database. */
export function backupFolderOf({ paths, settings }: Pick<StoreOptions, 'paths' | 'settings'>): string {
  const folder = settings.values['backup.folder'];
  return folder === null ? paths.backups : resolve(paths.data, folder);
}
