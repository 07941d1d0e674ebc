// Files a thing where searches look: the searchable row (and by triggers the keyword index), the vectors, the outbox.
// All in the transaction of the change; what it answers is published to the vector index in the same tick as the commit.
import { enqueue } from './outbox.ts';
import type { VectorChange } from './search-types.ts';
import { deleteSearchable, refileSearchable, type Searchable, writeSearchable } from './searchables.ts';
import type { Trx } from './sqlite.ts';
import { carryVectors, deleteVectors, noDirection, writeVectors } from './vectors/store-vectors.ts';

/** A text as far as it is embedded when its thing is saved. */
export type EmbeddedText = {
  readonly modelId: string;
  /** How many passages it has; a guess will do while it is `pending`. */
  readonly passages: number;
  /** The first passage's vector; null where the model gave zeros or is away. */
  readonly vector: Float32Array | null;
  /** `complete`: every passage has its vector; `pending`: some must follow; `directionless`: the model gave zeros. */
  readonly state: 'complete' | 'pending' | 'directionless';
};

/** What a search filters by, and the rev of it. */
export type Filed = Pick<Searchable, 'kind' | 'id' | 'userId' | 'status' | 'type' | 'projectIds' | 'rev'>;

/** Files a new or reworded thing. */
export async function fileThing(
  trx: Trx,
  thing: Omit<Searchable, 'passages' | 'embedded'>,
  text: EmbeddedText,
  nowMs: number,
): Promise<VectorChange> {
  const { kind, id, rev } = thing;
  const passages = text.state === 'directionless' ? noDirection : text.passages;
  await writeSearchable(trx, { ...thing, passages, embedded: false });
  await deleteVectors(trx, [{ kind, id }]);
  const vectors = text.vector === null ? [] : [{ passage: 0, vector: text.vector }];
  const complete = text.state === 'complete';
  await writeVectors(trx, { kind, id, rev, modelId: text.modelId, passages: vectors, complete });
  await enqueue(trx, [{ kind, id, rev }], nowMs);
  return { ...filedOf(thing), modelId: text.modelId, vectors };
}

/** Files a thing whose status, type or projects changed, and whose words did not: its vectors stay. `rev` is the new one, by one more than before. */
export async function refileThing(trx: Trx, thing: Filed, modelId: string, nowMs: number): Promise<VectorChange> {
  const { kind, id, rev } = thing;
  await refileSearchable(trx, thing);
  await carryVectors(trx, { kind, id, fromRev: rev - 1, toRev: rev });
  await enqueue(trx, [{ kind, id, rev }], nowMs);
  return { ...filedOf(thing), modelId, vectors: 'kept' };
}

/** Takes an erased thing out of every index; `rev` is its last one. */
export async function unfileThing(trx: Trx, thing: Filed, modelId: string, nowMs: number): Promise<VectorChange> {
  const { kind, id } = thing;
  const rev = thing.rev + 1;
  await deleteSearchable(trx, { kind, id });
  await deleteVectors(trx, [{ kind, id }]);
  await enqueue(trx, [{ kind, id, rev }], nowMs);
  return { ...filedOf(thing), rev, modelId, vectors: null };
}

function filedOf({ kind, id, userId, status, type, projectIds, rev }: Filed): Filed {
  return { kind, id, userId, status, type, projectIds, rev };
}
