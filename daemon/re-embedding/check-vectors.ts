// Whether a complete set of new vectors may take over: every vector has the right length, and a sample of texts, embedded once more, finds
// itself. A provider that answers nonsense, or another model under the old name, ends here and not in everybody's searches.
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import type { ReEmbeddingDeps } from './deps.ts';

const sampleSize = 10;
const hitsLookedAt = 10;
/** A text has this cosine with itself at least, whatever rounding a server does between two requests. */
const sameText = 0.98;

/** A sentence that says what is wrong, or null. Throws `unavailable` where the model is away. */
export async function faultOfVectors(
  deps: ReEmbeddingDeps,
  model: Embedder,
  signal: AbortSignal,
): Promise<string | null> {
  const { modelId, dimensions } = model;
  for (let after: number | null = 0; after !== null; ) {
    const part: { things: readonly unknown[]; next: number | null } = await deps.reader.ask('unfitVectors', {
      modelId,
      dimensions,
      after,
    });
    if (part.things.length > 0) return `Some vectors of ${modelId} are not ${dimensions} numbers long.`;
    after = part.next;
  }
  const { rows } = await deps.reader.ask('countVectors', { modelId });
  for (const row of await sampleOf(deps)) {
    const fault = await faultOf(deps, row, { model, isSearched: rows <= deps.exactLimit, signal });
    if (fault !== null) return fault;
  }
  return null;
}

type Row = { readonly kind: string; readonly id: number; readonly rev: number };

async function faultOf(
  deps: ReEmbeddingDeps,
  row: Row,
  { model, isSearched, signal }: { model: Embedder; isSearched: boolean; signal: AbortSignal },
): Promise<string | null> {
  const thing = (await deps.texts[row.kind]?.(row.id)) ?? null;
  if (thing === null || thing.rev !== row.rev) return null;
  const texts = thing.cut === undefined ? await model.split(thing.text) : (await thing.cut(model.split)).texts;
  const [first = thing.text] = texts;
  const [vector = null] = await model.embed([first], { lane: 'bulk', purpose: 'passage', signal });
  if (vector === null) return null;
  const { modelId } = model;
  const key = { kind: row.kind, id: row.id };
  const [own = null] = (await deps.reader.ask('cosines', { vector, modelId, things: [key] })).cosines;
  if (own === null || own < sameText) return `${modelId} gave another vector for a text that it had embedded before.`;
  if (!isSearched) return null;
  const { userId, kind, status } = thing;
  const filter: ScopeFilter = { userId, kinds: [kind], statuses: [status], projectIds: null, types: null };
  const { hits } = await deps.reader.ask('vectorCandidates', { vector, modelId, filter, limit: hitsLookedAt });
  const isFound = hits.some(({ id }) => id === row.id) || (hits.at(-1)?.similarity ?? 0) >= own - 0.001;
  return isFound ? null : `A search with ${modelId} did not find a text by its own words.`;
}

/** Spread over the rows, so that each kind and age has its chance. */
async function sampleOf({ database }: ReEmbeddingDeps): Promise<Row[]> {
  const { last } = await database.db
    .selectFrom('searchables')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const rows = new Map<string, Row>();
  for (let at = 0; at < sampleSize; at += 1) {
    const row = await database.db
      .selectFrom('searchables')
      .innerJoin('reembedded', (join) =>
        join
          .onRef('reembedded.kind', '=', 'searchables.kind')
          .onRef('reembedded.thing_id', '=', 'searchables.thing_id')
          .onRef('reembedded.rev', '=', 'searchables.rev'),
      )
      .select(['searchables.kind', 'searchables.thing_id as id', 'searchables.rev'])
      .where('searchables.id', '>=', Math.floor(((last ?? 0) * at) / sampleSize))
      .where('reembedded.outcome', '=', 'embedded')
      .orderBy('searchables.id')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) rows.set(`${row.kind}:${row.id}`, row);
  }
  return [...rows.values()];
}
