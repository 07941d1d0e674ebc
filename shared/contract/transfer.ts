// Moving in and out. An export is a stream of lines and an import a file of any size, so their bytes go by routes of their own
// (GET /api/v1/export, PUT /api/v1/imports/:import_id/content); what is said about them are operations as any other.
// An import is begun, filled part by part, run, and asked about until it is done: no request lasts as long as the import does.
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { requiredText, text, utc } from './common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from './operation.ts';

/** What an import can read, by the program that wrote it. */
export const sourceKinds = [
  'loci',
  'nan-forget',
  'forgetful',
  'server-memory',
  'basic-memory',
  'claude-code',
  'claude-mem',
  'mem0',
  'obsidian',
] as const;

export type SourceKind = (typeof sourceKinds)[number];

/** Bytes of one part of an upload at most. */
export const maxPartBytes = 8 * 2 ** 20;

export const importStates = ['uploading', 'reading', 'applying', 'done', 'refused', 'failed', 'interrupted'] as const;
export type ImportState = (typeof importStates)[number];

/** A record or line that was not taken, or that is worth a word. */
const remark = z.object({
  line: z.int().nullable(),
  kind: z.string().nullable(),
  uid: z.string().nullable(),
  problem: z.string(),
});

const kindCounts = z.object({
  added: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
});

export type KindCounts = z.output<typeof kindCounts>;

export const importReport = z.object({
  /** What the file turned out to be. */
  source: z.enum(sourceKinds).nullable(),
  counts: z.record(z.string(), kindCounts),
  /** Records and lines that cannot be stored, the first thousand of them; `problem_count` counts all. */
  problems: z.array(remark),
  problem_count: z.int(),
  /** Things that both sides changed, by their id here: the later text won, the other one is in the history, or in the log of changes. */
  conflicts: z.array(z.object({ kind: z.string(), id: z.int(), uid: z.string(), fields: z.array(z.string()) })),
  conflict_count: z.int(),
  /** What was left out on purpose, in sentences. */
  notices: z.array(z.string()),
  redactions: z.int(),
  nul_stripped: z.int(),
});

export type ImportReport = z.output<typeof importReport>;

const importStatus = z.object({
  import_id: z.string(),
  state: z.enum(importStates),
  dry_run: z.boolean(),
  /** Bytes received. */
  received_bytes: z.int(),
  progress: z.object({ done: z.int(), total: z.int(), unit: z.enum(['bytes', 'records']) }),
  report: importReport.nullable(),
  /** Why it failed, in a sentence, and the code of that error. */
  error: z.string().nullable(),
  error_code: z.enum(errorCodes).nullable(),
  created_at: utc,
  updated_at: utc,
});

export type ImportStatus = z.output<typeof importStatus>;

const importId = requiredText(64).describe('from start_import');
const key = text(200).optional();

export const startImport = defineContract({
  name: 'start_import',
  title: 'Begin an import',
  description:
    'Begin to move memories in from an export of Loci or of another program. Then PUT the bytes to /api/v1/imports/{import_id}/content?offset=N in parts of at most 8 MB, call run_import, and get_import until its state is done or refused. For people and scripts: `loci import FILE` does it all.',
  category: 'admin',
  input: z.strictObject({
    from: z.enum(sourceKinds).optional().describe('the program that wrote it; found out from the bytes when absent'),
    project: requiredText(500).optional().describe('where records without a project go'),
    dry_run: z.boolean().default(false).describe('only count and compare'),
    skip_invalid: z.boolean().default(false).describe('store the good records and list the others'),
    idempotency_key: key,
  }),
  output: importStatus,
  hints: additiveHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/imports', created: () => true }],
});

export const runImport = defineContract({
  name: 'run_import',
  title: 'Run an import',
  description:
    'Read, check and apply what was uploaded for an import. Answers at once; get_import tells how it goes. Without skip_invalid a file with one bad record stores nothing. Running one again that was interrupted goes on where it was.',
  category: 'admin',
  input: z.strictObject({ import_id: importId, idempotency_key: key }),
  output: importStatus,
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/imports/:import_id/run' }],
});

export const getImport = defineContract({
  name: 'get_import',
  title: 'Look at an import',
  description:
    'Tell how far an import is: its state, its progress, and once it is done or refused a report with counts by kind, bad records with their line, conflicts and redactions.',
  category: 'admin',
  input: z.strictObject({ import_id: importId }),
  output: importStatus,
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/imports/:import_id' }],
});

export const cancelImport = defineContract({
  name: 'cancel_import',
  title: 'Give up an import',
  description:
    'Drop an import that has not begun to store: its upload is deleted, nothing else changes. One that is being applied, or is done, cannot be given up.',
  category: 'admin',
  input: z.strictObject({ import_id: importId, idempotency_key: key }),
  output: z.object({ import_id: z.string(), success: z.boolean() }),
  hints: eraseHints,
  scope: 'write:memories',
  http: [{ method: 'DELETE', path: '/api/v1/imports/:import_id' }],
});

/** What the route of an export reads from its query. */
export const exportQuery = z.strictObject({
  project: requiredText(500).optional(),
  include_obsolete: z.boolean().default(false),
});

export const transferContracts = [startImport, runImport, getImport, cancelImport] as const;
