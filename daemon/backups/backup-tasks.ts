// The slow work on backups, for a thread of its own: neither the main thread nor the searches of the reader thread wait for it.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Salvaged, salvage } from '#daemon/storage/salvage.ts';
import { checkDatabase, faultOfDatabase, takeSnapshot } from '#daemon/storage/snapshot.ts';
import { version } from '#shared/version.ts';
import { checkArchive, unpackArchive, writeArchive } from './archive.ts';
import { type BackupReason, databaseMember, type Manifest, manifestMember } from './manifest.ts';

/** `[request, answer]` by name. */
export type BackupTasks = {
  /** Leaves the checked archive in `folder`/`archiveName`. */
  make: [
    {
      readonly database: string;
      readonly folder: string;
      readonly sequence: number;
      readonly createdAt: string;
      readonly reason: BackupReason;
    },
    { readonly manifest: Manifest; readonly bytes: number },
  ];
  /** Unpacks the database into `folder`, after and before everything was checked; leaves it there. */
  unpack: [{ readonly archive: string; readonly folder: string }, { readonly manifest: Manifest }];
  /** The first fault of a database, or null; `folder` is for a copy. */
  examine: [{ readonly database: string; readonly folder: string }, { readonly fault: string | null }];
  /** Reads what can be read of a damaged database that nobody has open into `target`, a whole one. */
  salvage: [{ readonly damaged: string; readonly target: string }, Salvaged];
};

/** What `make` calls the archive until it is published, and `unpack` the database. */
export const archiveName = 'archive.tar.gz';
export const unpackedName = databaseMember;

export const backupTasks: {
  readonly [Name in keyof BackupTasks]: (request: BackupTasks[Name][0]) => Promise<BackupTasks[Name][1]>;
} = {
  async make({ database, folder, sequence, createdAt, reason }) {
    const copy = join(folder, databaseMember);
    takeSnapshot(database, copy);
    const facts = checkDatabase(copy);
    const files = [{ name: databaseMember, bytes: statSync(copy).size, sha256: sha256Of(copy) } as const];
    const format = { format: 'loci-backup', format_version: 1 } as const;
    const manifest: Manifest = {
      ...format,
      sequence,
      created_at: createdAt,
      reason,
      version,
      ...facts,
      files: [...files],
    };
    writeFileSync(join(folder, manifestMember), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    const archive = join(folder, archiveName);
    const unchecked = `${archive}.unchecked`;
    await writeArchive(folder, unchecked);
    await checkArchive(unchecked);
    renameSync(unchecked, archive);
    return { manifest, bytes: statSync(archive).size };
  },
  async unpack({ archive, folder }) {
    const copy = join(folder, unpackedName);
    const manifest = await unpackArchive(archive, copy);
    checkDatabase(copy);
    return { manifest };
  },
  async examine({ database, folder }) {
    const copy = join(folder, databaseMember);
    try {
      return { fault: faultOfDatabase(database, copy) };
    } finally {
      rmSync(copy, { force: true });
    }
  },
  async salvage({ damaged, target }) {
    const salvaged = salvage(damaged, target);
    checkDatabase(target);
    return salvaged;
  },
};

const blockBytes = 1 << 20;

function sha256Of(file: string): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(blockBytes);
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const bytes = readSync(descriptor, block);
      if (bytes === 0) return hash.digest('hex');
      hash.update(block.subarray(0, bytes));
    }
  } finally {
    closeSync(descriptor);
  }
}
