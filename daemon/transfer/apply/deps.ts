import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { RowKind } from '#daemon/storage/records/kinds.ts';
import type { Asked } from '#daemon/storage/records/present-record.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database, Trx } from '#daemon/storage/sqlite.ts';
import type { AnalysedWords } from '#daemon/things/index.ts';
import type { Outcome } from '../tally.ts';

/** What applying needs; the text of what is applied is embedded later, by the background. */
export type ApplyDeps = {
  readonly database: Database;
  readonly embedder: Pick<Embedder, 'modelId'>;
  readonly clock: Clock;
};

/** One record that is written, in the transaction that writes it. */
export type Writing = {
  readonly trx: Trx;
  readonly deps: ApplyDeps;
  readonly userId: number;
  readonly nowMs: number;
  /** What the keyword index holds of a long text, worked out before the transaction. */
  readonly words: AnalysedWords | null;
};

/** Where the writing asks what is here already. */
export function askedBy({ deps, trx, userId }: Pick<Writing, 'deps' | 'trx' | 'userId'>): Asked {
  return { database: deps.database, queries: trx, userId };
}

/** How a kind writes its rows. */
export type RowWriter = {
  readonly kind: RowKind;
  /** Another thing here that is the same by nature, by uid; null where the record's uid decides alone. */
  findTwin?(writing: Writing, record: ExportRecord): Promise<string | null>;
  insert(writing: Writing, record: ExportRecord): Promise<Written>;
  update(
    writing: Writing,
    record: ExportRecord,
    present: { readonly id: number; readonly changed: readonly string[] },
  ): Promise<Written>;
};

export type Written = { readonly id: number; readonly vectors: readonly VectorChange[] };

export type Applied = {
  /** Null where a later pass decides, or an earlier one has. */
  readonly outcome: Outcome | null;
  readonly vectors: readonly VectorChange[];
  readonly change: Change | null;
};
