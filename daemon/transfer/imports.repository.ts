// Every SQL statement about imports: what was begun, how far each is.
import type { Selectable } from 'kysely';
import type { Queries, Trx } from '#daemon/storage/sqlite.ts';
import type { ImportsTable } from '#daemon/storage/tables/store.ts';
import type { ImportReport, ImportState } from '#shared/contract/transfer.ts';
import { type ErrorCode, LociError } from '#shared/errors.ts';

export type ImportRow = Omit<Selectable<ImportsTable>, 'report' | 'state'> & {
  readonly state: ImportState;
  readonly report: StoredReport;
};

/** What an import has found and done so far. */
export type StoredReport = {
  readonly report: ImportReport | null;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
};

export async function insertImport(
  trx: Trx,
  given: Pick<ImportsTable, 'uid' | 'user_id' | 'source' | 'project'> & {
    dry_run: boolean;
    skip_invalid: boolean;
    nowMs: number;
  },
): Promise<ImportRow> {
  const { nowMs, dry_run, skip_invalid, ...columns } = given;
  const row = await trx
    .insertInto('imports')
    .values({
      ...columns,
      dry_run: dry_run ? 1 : 0,
      skip_invalid: skip_invalid ? 1 : 0,
      state: 'uploading',
      report: JSON.stringify({ report: null, error: null } satisfies StoredReport),
      created_at: nowMs,
      updated_at: nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToImport(row);
}

/** A user's import. Throws `not_found`. */
export async function requireImport(db: Queries, userId: number, uid: string): Promise<ImportRow> {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .where('uid', '=', uid)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined)
    throw new LociError('not_found', 'There is no such import: begin one with start_import.', {
      import_id: uid,
    });
  return rowToImport(row);
}

export type ImportPatch = {
  readonly state?: ImportState;
  readonly source?: string | null;
  readonly pass?: number;
  readonly position?: number;
  readonly total?: number;
  readonly report?: StoredReport;
};

export async function updateImport(trx: Trx, id: number, patch: ImportPatch, nowMs: number): Promise<void> {
  const { report, ...columns } = patch;
  await trx
    .updateTable('imports')
    .set({ ...columns, ...(report === undefined ? {} : { report: JSON.stringify(report) }), updated_at: nowMs })
    .where('id', '=', id)
    .execute();
}

export async function importById(db: Queries, id: number): Promise<ImportRow | null> {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : rowToImport(row);
}

/** Imports of all users in some states, oldest first. */
export async function importsIn(db: Queries, states: readonly ImportState[]): Promise<ImportRow[]> {
  const rows = await db.selectFrom('imports').selectAll().where('state', 'in', states).orderBy('id').execute();
  return rows.map(rowToImport);
}

export async function removeImport(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('imports').where('id', '=', id).execute();
}

/** Forgets what ended before a time; answers the uids of what never ended and was begun before it. */
export async function forgetImports(trx: Trx, beforeMs: number): Promise<string[]> {
  const left = await trx
    .selectFrom('imports')
    .select('uid')
    .where('state', 'in', ['uploading', 'interrupted'])
    .where('updated_at', '<', beforeMs)
    .execute();
  await trx.deleteFrom('imports').where('state', '<>', 'applying').where('updated_at', '<', beforeMs).execute();
  return left.map(({ uid }) => uid);
}

export async function userUidOf(db: Queries, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('uid').where('id', '=', userId).executeTakeFirstOrThrow();
  return row.uid;
}

function rowToImport(row: Selectable<ImportsTable>): ImportRow {
  return { ...row, state: row.state as ImportState, report: JSON.parse(row.report) as StoredReport };
}
