// Embeds a page of things with the model that is to come. What is embedded is stored at once, a batch a transaction, so that a kill costs
// a batch and not the night; passages that an earlier run stored for the same text are not embedded again.
import { presentModel } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Cut, PendingThing } from '#daemon/memories/index.ts';
import type { ThingKey } from '#daemon/storage/search-types.ts';
import { passagesOf, writeFutureVectors } from '#daemon/storage/vectors/store-vectors.ts';
import { LociError } from '#shared/errors.ts';
import type { ReEmbeddingDeps } from './deps.ts';

export type PageRow = ThingKey & { readonly rev: number };

export type PageOptions = { readonly model: Embedder; readonly batchSize: number; readonly signal: AbortSignal };

type Passage = { readonly passage: number; readonly vector: Float32Array };

type Work = {
  readonly thing: PendingThing;
  readonly isGone: boolean;
  readonly keep: Cut['keep'];
  readonly missing: { readonly passage: number; readonly text: string }[];
  left: number;
  fresh: Passage[];
  readonly all: Passage[];
};

/** Throws `unavailable` where the model cannot be used; what was stored before stays. */
export async function embedPage(deps: ReEmbeddingDeps, rows: readonly PageRow[], options: PageOptions): Promise<void> {
  const works: Work[] = [];
  for (const row of rows) works.push(await prepare(deps, row, options.model));
  await storeAll(
    deps,
    works.filter(({ left }) => left === 0),
    options.model,
  );
  const texts = works.flatMap((work) => work.missing.map((one) => ({ work, ...one })));
  for (let first = 0; first < texts.length; first += options.batchSize) {
    const batch = texts.slice(first, first + options.batchSize);
    const vectors = await options.model.embed(
      batch.map(({ text }) => text),
      { lane: 'bulk', purpose: 'passage', signal: options.signal },
    );
    for (const [at, { work, passage }] of batch.entries()) {
      const vector = vectors[at] ?? null;
      work.left -= 1;
      if (vector !== null) work.fresh.push({ passage, vector });
    }
    await storeAll(deps, [...new Set(batch.map(({ work }) => work))], options.model);
  }
}

async function prepare(deps: ReEmbeddingDeps, row: PageRow, model: Embedder): Promise<Work> {
  const thing = (await deps.texts[row.kind]?.(row.id)) ?? null;
  if (thing === null)
    return { thing: gone(row), isGone: true, keep: undefined, missing: [], left: 0, fresh: [], all: [] };
  const { texts, keep } = await cutOf(deps, thing, model);
  const stored = await passagesOf(deps.database.db, { ...thing, modelId: model.modelId });
  const known = new Map(
    stored.filter(({ vector }) => vector.length === model.dimensions).map((one) => [one.passage, one]),
  );
  const missing = texts.flatMap((text, passage) => (known.has(passage) ? [] : [{ passage, text }]));
  const all = [...known.values()].filter(({ passage }) => passage < texts.length);
  return { thing, isGone: false, keep, missing, left: missing.length, fresh: [], all };
}

/**
 * Cut as it is today, so that passages mean the same before and after the switch; by the new model only where the old one is away, and
 * then what the kind knows of its passages moves along.
 */
async function cutOf({ active }: ReEmbeddingDeps, { text, cut }: PendingThing, model: Embedder): Promise<Cut> {
  const cutBy = async ({ split }: Embedder): Promise<Cut> =>
    cut === undefined ? { texts: await split(text) } : cut(split);
  try {
    const { texts } = await cutBy(presentModel(active));
    return { texts };
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
    return cutBy(model);
  }
}

async function storeAll(deps: ReEmbeddingDeps, works: readonly Work[], { modelId }: Embedder): Promise<void> {
  if (works.length === 0) return;
  const stored = await deps.database.write(internalContext, async (trx) => {
    const done: Work[] = [];
    for (const work of works) {
      const { thing, fresh, left, keep } = work;
      const outcome = left > 0 ? undefined : outcomeOf(work);
      const write = { kind: thing.kind, id: thing.id, rev: thing.rev, modelId, passages: fresh, outcome };
      if (!(await writeFutureVectors(trx, write))) continue; // changed meanwhile: its new rev is found by the next round
      if (outcome === 'embedded') await keep?.(trx);
      done.push(work);
    }
    return done;
  });
  for (const work of works) {
    work.all.push(...work.fresh);
    work.fresh = [];
  }
  const changes = stored
    .filter(({ left, isGone }) => left === 0 && !isGone)
    .map(({ thing: { text: _text, cut: _cut, ...change }, all }) => ({ ...change, modelId, vectors: all }));
  // nobody searches them yet; but who has begun to hold them for the check must not fall behind
  deps.reader.publish(changes);
}

function outcomeOf({ isGone, fresh, all }: Work): 'embedded' | 'directionless' | 'nothing' {
  if (isGone) return 'nothing';
  return fresh.length + all.length > 0 ? 'embedded' : 'directionless';
}

/** Stands for a thing without a text: a row that is done with, without a vector. */
function gone({ kind, id, rev }: PageRow): PendingThing {
  return { kind, id, rev, userId: 0, status: '', type: '', projectIds: [], text: '' };
}
