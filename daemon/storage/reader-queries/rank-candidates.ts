// LanceDB answers from its last flush and compares rounded vectors. So its hits are only candidates: each is read again from SQLite, which
// drops what has changed or was erased since, and gets its exact cosine; things that LanceDB cannot know yet are searched here.

import type Sqlite from 'better-sqlite3';
import { noiseLevel } from '../exact-vectors.ts';
import { thingRows } from '../held-vectors.ts';
import { prepared } from '../prepared.ts';
import type { ReaderQuery } from '../reader-queries.ts';
import { isAdmitted } from '../scope-groups.ts';
import type { NoiseLevel, ScopeFilter, ThingKey, VectorHit } from '../search-types.ts';
import { bestPassage, dotProduct } from './best-passage.ts';

/** Enough that the mean of their cosines is known to ± .005. */
const sampleRows = 256;

export const rankCandidates: ReaderQuery<'rankCandidates'> = async (db, argument, state) => {
  const { vector, modelId, filter, limit, candidates } = argument;
  const fresh = await state.held.of(modelId, vector.length, 'fresh');
  const found = fresh.search(vector, filter, limit);
  const excluded = new Set((filter.exclude ?? []).map(nameOf));
  const seen = new Set<string>();
  const flushed: VectorHit[] = [];
  for (const key of candidates) {
    const name = nameOf(key);
    if (seen.has(name) || excluded.has(name) || fresh.revOf(key) !== null) continue;
    seen.add(name);
    const thing = thingRows(db, modelId, key);
    if (thing === null || !isAdmitted(filter, thing)) continue;
    const best = bestPassage(vector, thing.passages);
    if (best !== null) flushed.push({ kind: key.kind, id: key.id, rev: thing.rev, ...best });
  }
  const hits = [...found.hits, ...flushed].sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit);
  return { hits, noise: sampledNoise(db, modelId, vector, filter), held: fresh.rows() };
};

/** The noise level of a sample of the scope; of the whole store where the scope is small. */
function sampledNoise(db: Sqlite.Database, modelId: string, vector: Float32Array, filter: ScopeFilter): NoiseLevel {
  const { last } = prepared<[], { last: number | null }>(db, 'SELECT MAX(rowid) AS last FROM vectors').get() ?? {};
  const step = Math.max(1, Math.floor((last ?? 0) / sampleRows));
  const point = prepared<[number], { model_id: string; kind: string; thing_id: number; blob: Buffer }>(
    db,
    'SELECT model_id, kind, thing_id, blob FROM vectors WHERE rowid >= ? ORDER BY rowid LIMIT 1',
  );
  const owner = prepared<[string, number], { user_id: number; status: string; type: string; projects: string }>(
    db,
    'SELECT user_id, status, type, projects FROM searchables WHERE kind = ? AND thing_id = ?',
  );
  const inScope: number[] = [];
  const everywhere: number[] = [];
  for (let at = 1; at <= (last ?? 0); at += step) {
    const row = point.get(at);
    if (row === undefined || row.model_id !== modelId) continue;
    const cosine = dotProduct(vector, row.blob);
    const keys = owner.get(row.kind, row.thing_id);
    if (cosine === null || keys === undefined) continue;
    everywhere.push(cosine);
    if (isAdmitted(filter, { ...keys, kind: row.kind, userId: keys.user_id })) inScope.push(cosine);
  }
  return levelOf(inScope.length >= 32 ? inScope : everywhere);
}

function levelOf(cosines: readonly number[]): NoiseLevel {
  const sum = cosines.reduce((total, cosine) => total + cosine, 0);
  const squares = cosines.reduce((total, cosine) => total + cosine * cosine, 0);
  return noiseLevel(sum, squares, cosines.length);
}

function nameOf(key: ThingKey): string {
  return `${key.kind}:${key.id}`;
}
