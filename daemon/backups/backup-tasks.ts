// The slow work on backups, for a thread of its own: neither the main thread nor the searches of the reader thread wait for it.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Salvaged, salvage } from '#daemon/storage/repair/salvage.ts';
import { checkDatabase, type DatabaseFacts, faultOfDatabase, takeSnapshot } from '#daemon/storage/snapshot.ts';
import { version } from '#shared/version.ts';
import { checkArchive, unpackArchive, writeArchive } from './archive.ts';
import { type BackupReason, type DatabaseMember, type Manifest, manifestMember } from './manifest.ts';

export type Making = {
  readonly folder: string;
  readonly sequence: number;
  readonly createdAt: string;
  readonly reason: BackupReason;
};

/** A checked archive is in the folder, as `archiveName`. */
export type Made = { readonly manifest: Manifest; readonly bytes: number };

/** `[request, answer]` by name. */
export type BackupTasks = {
  /** Leaves the checked archive in `folder`/`archiveName`. */
  make: [Making & { readonly database: string }, Made];
  /** The same of a dump that is in `folder` already, and of which the facts are known. */
  pack: [Making & { readonly facts: DatabaseFacts }, Made];
  /** Unpacks the database into `folder`, under its name in the archive, after and before everything was checked; leaves it there. */
  unpack: [{ readonly archive: string; readonly folder: string }, { readonly manifest: Manifest }];
  /** The first fault of a database, or null; `folder` is for a copy. */
  examine: [{ readonly database: string; readonly folder: string }, { readonly fault: string | null }];
  /** Reads what can be read of a damaged database that nobody has open into `target`, a whole one. */
  salvage: [{ readonly damaged: string; readonly target: string }, Salvaged];
};

/** What `make` calls the archive until it is published. */
export const archiveName = 'archive.tar.gz';
/** What `unpack` calls the database: as the archive does. */
export const fileMember = 'loci.db';
export const dumpMember = 'loci.dump';

export const backupTasks: {
  readonly [Name in keyof BackupTasks]: (request: BackupTasks[Name][0]) => Promise<BackupTasks[Name][1]>;
} = {
  async make({ database, ...making }) {
    const copy = join(making.folder, fileMember);
    takeSnapshot(database, copy);
    return pack(making, fileMember, checkDatabase(copy));
  },
  pack: ({ facts, ...making }) => pack(making, dumpMember, facts),
  async unpack({ archive, folder }) {
    const copy = join(folder, 'unpacked');
    const manifest = await unpackArchive(archive, copy);
    const name = manifest.files[0]?.name ?? fileMember;
    renameSync(copy, join(folder, name));
    if (name === fileMember) checkDatabase(join(folder, name));
    return { manifest };
  },
  async examine({ database, folder }) {
    const copy = join(folder, fileMember);
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

async function pack(
  { folder, sequence, createdAt, reason }: Making,
  member: DatabaseMember,
  facts: DatabaseFacts,
): Promise<Made> {
  const file = join(folder, member);
  const manifest: Manifest = {
    format: 'loci-backup',
    format_version: 1,
    sequence,
    created_at: createdAt,
    reason,
    version,
    ...facts,
    files: [{ name: member, bytes: statSync(file).size, sha256: sha256Of(file) }],
  };
  writeFileSync(join(folder, manifestMember), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  const archive = join(folder, archiveName);
  const unchecked = `${archive}.unchecked`;
  await writeArchive(folder, member, unchecked);
  await checkArchive(unchecked);
  renameSync(unchecked, archive);
  return { manifest, bytes: statSync(archive).size };
}

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
