// Where searches look for a thing. Its rev is kept in its searchable row alone: nobody but searches asks for it.
import { fileThing, refileThing, unfileThing } from '#daemon/storage/file-thing.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { revOf } from '#daemon/storage/searchables.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { SearchRules, ThingRow } from './kind.ts';
import type { PreparedText } from './prepare-text.ts';

type Common = Pick<ThingRow, 'id' | 'user_id' | 'project_id'>;
type Kind = { readonly kind: string; readonly search?: { readonly type: string } };

/** Files a new or reworded thing. */
export async function file<R extends ThingRow>(
  trx: Trx,
  { kind, search }: { readonly kind: string; readonly search: SearchRules<R> },
  row: R,
  { embedded, first, words, features }: PreparedText,
  nowMs: number,
): Promise<VectorChange> {
  const rev = ((await revOf(trx, { kind, id: row.id })) ?? 0) + 1;
  const thing = { ...filedAs(kind, search.type, row, rev), session: null, words, features };
  await search.keepPassages?.(trx, row.id, first === null ? [] : [first]);
  return fileThing(trx, thing, embedded, nowMs);
}

/** Files a thing that moved to another project. */
export async function refile(
  trx: Trx,
  { kind, search }: Kind,
  row: Common,
  modelId: string,
  nowMs: number,
): Promise<VectorChange[]> {
  const rev = await revOf(trx, { kind, id: row.id });
  if (search === undefined || rev === null) return [];
  return [await refileThing(trx, filedAs(kind, search.type, row, rev + 1), modelId, nowMs)];
}

/** Takes an erased thing out of every index. */
export async function unfile(
  trx: Trx,
  { kind, search }: Kind,
  row: Common,
  modelId: string,
  nowMs: number,
): Promise<VectorChange[]> {
  const rev = await revOf(trx, { kind, id: row.id });
  if (search === undefined || rev === null) return [];
  return [await unfileThing(trx, filedAs(kind, search.type, row, rev), modelId, nowMs)];
}

/** What searches filter a thing by. */
export function filedAs(kind: string, type: string, row: Common, rev: number) {
  const projectIds = row.project_id === null ? [] : [row.project_id];
  return { kind, id: row.id, userId: row.user_id, status: 'active', type, projectIds, rev };
}
