// What a backup says of itself. It is the first member of the archive, so that a list of many backups reads a few kilobytes of each.
import { z } from 'zod';

/** A machine's own file, or the dump of a team's database. */
export const databaseMembers = ['loci.db', 'loci.dump'] as const;
export type DatabaseMember = (typeof databaseMembers)[number];
export const manifestMember = 'manifest.json';

export const backupReasons = ['manual', 'nightly', 'before_restore', 'before_migration', 'before_repair'] as const;
export type BackupReason = (typeof backupReasons)[number];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal('loci-backup'),
  /** Moves when an older Loci could not read the archive any more. */
  format_version: z.literal(1),
  sequence: z.int().min(1),
  created_at: z.iso.datetime(),
  reason: z.enum(backupReasons),
  /** The program that wrote it, and the number of migrations in its database. */
  version: z.string(),
  schema: z.int().min(0),
  memories: z.int().min(0),
  files: z.array(z.object({ name: z.enum(databaseMembers), bytes: z.int().min(0), sha256 })).length(1),
});

export type Manifest = z.output<typeof manifestSchema>;

/** A backup in the folder: its manifest and the file. */
export type Backup = Pick<Manifest, 'sequence' | 'created_at' | 'reason' | 'version' | 'schema' | 'memories'> & {
  readonly name: string;
  readonly bytes: number;
};

export function manifestToBackup(manifest: Manifest, name: string, bytes: number): Backup {
  const { sequence, created_at, reason, version, schema, memories } = manifest;
  return { name, sequence, created_at, reason, bytes, memories, version, schema };
}
