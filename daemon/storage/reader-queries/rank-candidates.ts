// LanceDB answers from its last flush and compares rounded vectors. So its hits are only candidates: each is read again from SQLite, which
// drops what has changed or was erased since, and gets its exact cosine; things that LanceDB cannot know yet are searched here.

import type { ReaderQueries } from '../reader.ts';
import type { ReaderDatabase, ReaderQuery, ReaderState } from '../reader-query.ts';
import type { ThingKey, VectorHit } from '../search-types.ts';
import { readThings, type ThingsReader } from '../vectors/held-vectors.ts';
import { isAdmitted } from '../vectors/scope-groups.ts';
import { bestPassage } from './best-passage.ts';
import { sampledNoise } from './noise-sample.ts';

export const rankCandidates: ReaderQuery<'rankCandidates'> = (db, argument, state) =>
  rankCandidatesBy(readThings, db, argument, state);

export async function rankCandidatesBy(
  read: ThingsReader,
  db: ReaderDatabase,
  argument: ReaderQueries['rankCandidates'][0],
  state: ReaderState,
): Promise<ReaderQueries['rankCandidates'][1]> {
  const { vector, modelId, filter, limit, candidates } = argument;
  const fresh = await state.held.of(modelId, vector.length, 'fresh');
  const found = fresh.search(vector, filter, limit);
  const excluded = new Set((filter.exclude ?? []).map(nameOf));
  const seen = new Set<string>();
  const wanted = candidates.filter((key) => {
    const name = nameOf(key);
    if (seen.has(name) || excluded.has(name) || fresh.revOf(key) !== null) return false;
    seen.add(name);
    return true;
  });
  const flushed: VectorHit[] = [];
  for (const thing of read(db, modelId, wanted)) {
    if (thing === null || !isAdmitted(filter, thing)) continue;
    const best = bestPassage(vector, thing.passages);
    if (best !== null) flushed.push({ kind: thing.kind, id: thing.id, rev: thing.rev, ...best });
  }
  const hits = [...found.hits, ...flushed].sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit);
  return { hits, noise: sampledNoise(db, modelId, vector, filter), held: fresh.rows() };
}

function nameOf(key: ThingKey): string {
  return `${key.kind}:${key.id}`;
}
