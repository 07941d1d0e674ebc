// Backups of the whole store: made while it works, checked before they count, brought back without a restart. All of these work on
// files, so they also answer while the database itself cannot be opened: that is when they are needed most.
import { z } from 'zod';
import { text, utc } from './common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from './operation.ts';

const backup = z.object({
  /** The file's name in the folder of the backups. */
  name: z.string(),
  /** Grows with each backup, whatever the clock says. */
  sequence: z.int(),
  created_at: utc,
  /** `manual` ones are kept for ever, `nightly` ones by the settings, the others by their kind's newest. */
  reason: z.enum(['manual', 'nightly', 'before_restore', 'before_migration', 'before_repair']),
  bytes: z.int(),
  memories: z.int(),
  /** The version of Loci that made it, and of its tables. */
  version: z.string(),
  schema: z.int(),
});

const name = text(200).describe('name as list_backups gives it; `latest` is the newest');

export const createBackup = defineContract({
  name: 'create_backup',
  title: 'Create a backup',
  description:
    'Write a backup of the whole store while everything goes on, check it, and list it. One made so is kept until somebody deletes its file. A nightly job makes others by itself.',
  category: 'admin',
  input: z.strictObject({ idempotency_key: text(200).optional() }),
  output: backup,
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/backup', created: () => true }],
  cli: { command: 'backup create' },
});

export const listBackups = defineContract({
  name: 'list_backups',
  title: 'List backups',
  description:
    'List the backups, newest first, with what each holds; those that are damaged with the reason. Says when a backup was last restored on trial.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({
    backups: z.array(backup),
    damaged: z.array(z.object({ name: z.string(), bytes: z.int(), why: z.string() })),
    /** The last trial that brought a backup back and found its memories by keyword and by meaning. */
    rehearsed: z.object({ name: z.string(), at: utc }).nullable(),
  }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/backups' }],
  cli: { command: 'backup list' },
});

export const verifyBackup = defineContract({
  name: 'verify_backup',
  title: 'Verify a backup',
  description:
    'Unpack a backup on trial and check every byte and every table of it. Refused as `conflict`, with the reason, where it is damaged.',
  category: 'admin',
  input: z.strictObject({ name: name.default('latest') }),
  output: backup,
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/backups/:name/verify' }],
  cli: { command: 'backup verify', positional: ['name'] },
});

export const restoreBackup = defineContract({
  name: 'restore_backup',
  title: 'Restore a backup',
  description:
    'Replace the whole store by a backup. What is there now is saved as a backup first. Needs no restart; changes are refused as `unavailable` while it happens, and vectors are built again from the backup. Only when the user asks.',
  category: 'admin',
  input: z.strictObject({ name, idempotency_key: text(200).optional() }),
  output: z.object({
    restored: backup,
    /** The backup of what was there before; null where there was nothing to save. */
    saved_as: z.string().nullable(),
    took_ms: z.int(),
  }),
  hints: eraseHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/restore' }],
  cli: { command: 'backup restore', positional: ['name'], confirm: 'Replace everything that is stored by the backup' },
});

export const repairDatabase = defineContract({
  name: 'repair_database',
  title: 'Repair the database',
  description:
    'Examine the database, and where it is damaged make it whole again from the newest backup and everything that can still be read. The damaged files are kept. Works where the store cannot be opened. Only when the user asks.',
  category: 'admin',
  input: z.strictObject({ idempotency_key: text(200).optional() }),
  output: z.object({
    /** What was wrong; null where nothing was, and nothing was done. */
    fault: z.string().nullable(),
    /** The backup that what could not be read was taken from. */
    backup: z.string().nullable(),
    /** Memories read from the damaged file, and those taken from the backup. */
    recovered: z.int(),
    restored: z.int(),
    /** The folder beside the database where the damaged files are. */
    set_aside: z.string().nullable(),
  }),
  hints: updateHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/repair' }],
  cli: { command: 'backup repair' },
});

export const backupContracts = [createBackup, listBackups, verifyBackup, restoreBackup, repairDatabase] as const;
