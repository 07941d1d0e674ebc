// Association: what the results bring to mind. Their centroid finds memories of near meaning; their links find the rest.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import { vectorsOf } from '#daemon/storage/vectors/store-vectors.ts';
import type { MemoryDeps } from './deps.ts';
import { aboutTheSame } from './entities-of.ts';
import { linksOf, memoriesByIds } from './memories.repository.ts';
import { type Memory, shownTitle } from './memory.ts';
import type { Found, Related } from './search-request.ts';

const maxRelated = 10;
/** A link counts as much as a cosine of this size. */
const linkScore = 0.9;
/** To be about the same person or thing counts less than a link that somebody made. */
const entityScore = 0.7;

/** Memories near to the results and not among them, those alone that a caller may see, best first, at most ten. */
export async function associate(
  deps: MemoryDeps,
  found: readonly Found[],
  filter: ScopeFilter,
  isShown: (memory: Memory) => boolean,
  context: CallContext,
): Promise<Related[]> {
  if (found.length === 0) return [];
  const { db } = deps.database;
  const ids = found.map((item) => item.memory.id);
  const links = await linksOf(db, ids, deps.clock.now());
  const scores = new Map<number, { score: number; via: Related['via'] }>();
  const centroid = meanOf(await vectorsOf(db, 'memory', ids, deps.embedder.modelId));
  if (centroid !== null) {
    const exclude = ids.map((id) => ({ kind: 'memory', id }));
    const { hits } = await deps.vectors.search({
      vector: centroid,
      modelId: deps.embedder.modelId,
      filter: { ...filter, exclude },
      limit: maxRelated,
    });
    for (const hit of hits) scores.set(hit.id, { score: hit.similarity, via: 'meaning' });
  }
  for (const id of await aboutTheSame(db, ids)) {
    if ((scores.get(id)?.score ?? 0) < entityScore) scores.set(id, { score: entityScore, via: 'entity' });
  }
  for (const id of [...links.values()].flat()) if (!ids.includes(id)) scores.set(id, { score: linkScore, via: 'link' });
  const rows = await memoriesByIds(db, context.userId, [...scores.keys()]);
  return [...scores]
    .flatMap(([id, { score, via }]): Related[] => {
      const memory = rows.get(id);
      return memory === undefined || !isShown(memory) ? [] : [{ id, title: shownTitle(memory), score, via }];
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, maxRelated);
}

/** The normalised mean of vectors, or null for none. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.length);
  for (const vector of vectors)
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] as number) + value;
  const norm = Math.hypot(...sum);
  return norm === 0 ? null : sum.map((value) => value / norm);
}
