// What documents, code artifacts, files and skills have in common, and what each says of itself. Their birth, change and end are one
// use-case each in this room, so that no kind forgets a link, an index or a line of the change log.
import type { Selectable } from 'kysely';
import type { IndexSource } from '#daemon/storage/keyword-index.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { ThingColumns } from '#daemon/storage/tables/things.ts';
import type { CountedKind } from '#daemon/storage/thing-counts.ts';
import type { LinkedKind } from '#daemon/storage/thing-links.ts';
import type { Passage, Piece } from './cut-pieces.ts';

/** Tables that have the columns of a thing. */
export type ThingTable = 'documents' | 'code_artifacts' | 'files' | 'skills';

export type ThingRow = Selectable<ThingColumns>;

/** The columns that a caller may set. */
export type Columns<R extends ThingRow> = Omit<R, 'id' | 'uid' | 'user_id' | 'created_at' | 'updated_at'> &
  Pick<ThingRow, 'project_id'>;

/** A kind, as its room describes it; `R` is a row of its table, `X` what comes with it that is kept outside the row. */
export type ThingKind<R extends ThingRow, X = undefined> = {
  readonly table: ThingTable;
  readonly kind: LinkedKind & CountedKind;
  /** As messages call one of it: `Document`. */
  readonly noun: string;
  /** The texts by field, to be looked through for secrets. */
  readonly secrets: (columns: Columns<R>, extra: X) => Readonly<Record<string, string | readonly string[] | null>>;
  /** What the change log holds, by field: everything that a change could be in, long bodies by digest. */
  readonly logged: (columns: Columns<R>) => Readonly<Record<string, unknown>>;
  /** Throws where a row cannot be so beside the others of its user; asked in the transaction, before the row is written. `id` is null for a new one. */
  readonly check?: (trx: Trx, userId: number, columns: Columns<R>, id: number | null) => Promise<void>;
  /** Writes what is kept outside the row, after it. */
  readonly keepExtra?: (trx: Trx, id: number, extra: X) => Promise<void>;
  /** How a search finds it; absent for a kind that none does. */
  readonly search?: SearchRules<R>;
};

export type SearchRules<R extends ThingRow> = {
  /** What searches filter by as its type. */
  readonly type: string;
  readonly words: (columns: Columns<R>) => IndexSource;
  /** What is embedded, in order: a save waits for the first passage of the first piece alone. */
  readonly pieces: (columns: Columns<R>) => readonly Piece[];
  /** Keeps where the passages of a thing stand, in place of those of an earlier text. */
  readonly keepPassages?: (trx: Trx, id: number, passages: readonly Passage[]) => Promise<void>;
};

/** A row as the columns that a caller may set; it holds them all. */
export function columnsOf<R extends ThingRow>(row: R): Columns<R> {
  return row as unknown as Columns<R>;
}
