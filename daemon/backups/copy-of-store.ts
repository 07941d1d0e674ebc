// The one difference between the two engines while a backup is made and looked at: what is packed. Of a machine its database file, of a
// team the dump of its schema; folder, manifest, checks and what is kept are the same.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { checkDump, dumpSchema } from '#daemon/storage/postgres/dump.ts';
import { schemaBytes } from '#daemon/storage/postgres/schema-facts.ts';
import { LociError } from '#shared/errors.ts';
import { dumpMember, fileMember, type Made, type Making } from './backup-tasks.ts';
import type { BackupDeps } from './deps.ts';
import type { Manifest } from './manifest.ts';

/** In a dump bytes are written as hexadecimal text, and nearly all of a store is vectors. */
const dumpFactor = 2;

/** Bytes that a copy of the store takes. */
export async function copyBytes({ files, team }: BackupDeps): Promise<number> {
  if (team !== undefined) return dumpFactor * (await schemaBytes(team.source));
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(files.database) + sizeOf(`${files.database}-wal`);
}

/** Leaves the checked archive in `folder`/`archiveName`. */
export async function makeArchive(deps: BackupDeps, making: Making, signal?: AbortSignal): Promise<Made> {
  if (deps.team === undefined) return deps.runTask('make', { ...making, database: deps.files.database }, signal);
  const isGentle = making.reason === 'nightly' || making.reason === 'manual';
  const dump = join(making.folder, dumpMember);
  const facts = await dumpSchema(deps.team, dump, { signal, isGentle });
  await checkDump(deps.team, dump, signal);
  return deps.runTask('pack', { ...making, facts }, signal);
}

/** Unpacks the database of an archive into `folder`, checked as a whole. Throws `conflict` for a damaged one. */
export async function unpackWhole(
  deps: BackupDeps,
  archive: string,
  folder: string,
  signal?: AbortSignal,
): Promise<Manifest> {
  const { manifest } = await deps.runTask('unpack', { archive, folder }, signal);
  const dump = join(folder, dumpMember);
  if (isDump(manifest) && deps.team !== undefined) await checkDump(deps.team, dump, signal);
  return manifest;
}

/** Throws `conflict` for a backup of the other engine. */
export function refuseOtherEngine({ team }: BackupDeps, manifest: Manifest): void {
  if (isDump(manifest) === (team !== undefined)) return;
  throw new LociError(
    'conflict',
    team === undefined
      ? "This backup is of a team's database: set `storage.url` to bring it back there."
      : "This backup is of one machine's own store: unset `storage.url`, bring it back there, then move it as docs/team.md says.",
    { member: manifest.files[0]?.name ?? fileMember },
  );
}

function isDump({ files }: Manifest): boolean {
  return files[0]?.name === dumpMember;
}
