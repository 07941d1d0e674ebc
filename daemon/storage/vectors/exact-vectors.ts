// Vectors held in memory and searched exactly: recall 1, the filter before the top-k, and the noise level of the query for nothing,
// since every cosine of the scope is computed anyway. A thing is replaced as a whole and only by a rev that is not older than the one
// held, so that messages which arrive late, or while the rows are still being loaded, change nothing.

import type { NoiseLevel, ScopeFilter, ThingKey, VectorHit } from '../search-types.ts';
import { createBestThings, type RowOwners } from './best-things.ts';
import { createScopeGroups, type FilterKeys } from './scope-groups.ts';
import { createVectorScan, scanBlockRows } from './vector-scan.ts';

/** A passage's vector as little-endian float32 bytes. */
export type PassageBytes = { readonly passage: number; readonly bytes: Uint8Array };

export type ThingRows = FilterKeys & {
  readonly id: number;
  readonly rev: number;
  readonly passages: readonly PassageBytes[];
};

export type ExactVectors = {
  readonly dimensions: number;
  /** Replaces what is held of a thing. */
  put(thing: ThingRows): void;
  /** Adds one passage of a thing that is being loaded row by row. */
  add(thing: Omit<ThingRows, 'passages'>, passage: PassageBytes): void;
  /** New filter keys and rev for the vectors held; false if the thing is not held. */
  rekey(thing: Omit<ThingRows, 'passages'>): boolean;
  /** Removes a thing's rows and remembers that they are gone. */
  bury(key: ThingKey, rev: number): void;
  /** Drops a thing unless a newer rev than `rev` is held: another index has it now. */
  forget(key: ThingKey, rev: number): void;
  /** The rev held, of a tombstone too; null for a thing that was never heard of. */
  revOf(key: ThingKey): number | null;
  search(query: Float32Array, filter: ScopeFilter, limit: number): { hits: VectorHit[]; noise: NoiseLevel };
  /** Cosine of the best passage; null where nothing is held. */
  cosine(query: Float32Array, key: ThingKey): number | null;
  rows(): number;
  sizeBytes(): number;
};

type Owner = { readonly kind: string; readonly id: number; rev: number; rows: number[] };

export function createExactVectors(dimensions: number, options: { readonly simd?: boolean } = {}): ExactVectors {
  const scan = createVectorScan(dimensions, options);
  const groups = createScopeGroups();
  const owners = new Map<string, Map<number, Owner>>();
  const ownerOfRow: (Owner | undefined)[] = [];
  const freeRows: number[] = [];
  let groupOfRow = new Int32Array(1024);
  let passageOfRow = new Int32Array(1024);
  let usedRows = 0;
  let asked: Float32Array | null = null;
  /** Cosines of the last search, NaN where its scope had none: the candidates of other lists ask for theirs right after it. */
  let seen = new Float32Array(1024);
  let seenQuery: Float32Array | null = null;

  const rowOwners: RowOwners = {
    ownerOf: (row) => ownerOfRow[row] as Owner,
    idOf: (row) => (ownerOfRow[row] as Owner).id,
    isAlone: (row) => (ownerOfRow[row] as Owner).rows.length === 1,
  };

  /** A search is followed by a few hundred single cosines of the same query. */
  function ask(query: Float32Array): void {
    if (query !== asked) scan.setQuery(query);
    asked = query;
  }

  function ownerOf(key: ThingKey): Owner | undefined {
    return owners.get(key.kind)?.get(key.id);
  }

  /** The owner to write to, or null when a newer rev is held. */
  function claim(key: ThingKey, rev: number): Owner | null {
    const held = ownerOf(key);
    if (held !== undefined) {
      if (held.rev > rev) return null;
      held.rev = rev;
      return held;
    }
    const made: Owner = { kind: key.kind, id: key.id, rev, rows: [] };
    const ofKind = owners.get(key.kind) ?? new Map<number, Owner>();
    owners.set(key.kind, ofKind.set(key.id, made));
    return made;
  }

  function release(owner: Owner): void {
    for (const row of owner.rows) {
      groupOfRow[row] = 0;
      ownerOfRow[row] = undefined;
      freeRows.push(row);
    }
    owner.rows = [];
  }

  function fill(owner: Owner, keys: FilterKeys, { passage, bytes }: PassageBytes): void {
    if (bytes.byteLength !== dimensions * 4) return;
    const row = freeRows.pop() ?? usedRows++;
    if (row >= groupOfRow.length) {
      groupOfRow = grown(groupOfRow);
      passageOfRow = grown(passageOfRow);
    }
    scan.writeRow(row, bytes);
    seenQuery = null;
    groupOfRow[row] = groups.groupOf(keys);
    passageOfRow[row] = passage;
    ownerOfRow[row] = owner;
    owner.rows.push(row);
  }

  return {
    dimensions,
    put(thing) {
      const owner = claim(thing, thing.rev);
      if (owner === null) return;
      release(owner);
      for (const passage of thing.passages) fill(owner, thing, passage);
    },
    add(thing, passage) {
      const before = ownerOf(thing)?.rev ?? 0;
      const owner = claim(thing, thing.rev);
      if (owner === null) return;
      if (before < thing.rev) release(owner);
      if (!owner.rows.some((row) => passageOfRow[row] === passage.passage)) fill(owner, thing, passage);
    },
    rekey(thing) {
      const held = ownerOf(thing);
      if (held === undefined || held.rows.length === 0) return false;
      if (claim(thing, thing.rev) !== null) for (const row of held.rows) groupOfRow[row] = groups.groupOf(thing);
      return true;
    },
    bury(key, rev) {
      const owner = claim(key, rev);
      if (owner !== null) release(owner);
    },
    forget(key, rev) {
      const owner = ownerOf(key);
      if (owner === undefined || owner.rev > rev) return;
      release(owner);
      owners.get(key.kind)?.delete(key.id);
    },
    revOf: (key) => ownerOf(key)?.rev ?? null,
    search(query, filter, limit) {
      const admitted = groups.admitted(filter);
      const excluded = new Set((filter.exclude ?? []).map((key) => ownerOf(key)));
      const best = createBestThings(limit, rowOwners);
      let [sum, squares, count] = [0, 0, 0];
      ask(query);
      if (seen.length < usedRows) seen = new Float32Array(groupOfRow.length);
      seen.fill(Number.NaN, 0, usedRows);
      seenQuery = query;
      for (let first = 0; first < usedRows; first += scanBlockRows) {
        const rows = Math.min(scanBlockRows, usedRows - first);
        let cosines: Float32Array | null = null;
        for (let index = 0; index < rows; index += 1) {
          const row = first + index;
          if (admitted[groupOfRow[row] as number] !== 1) continue;
          if (excluded.size > 0 && excluded.has(ownerOfRow[row])) continue;
          if (cosines === null) {
            cosines = scan.cosines(first, rows);
            seen.set(cosines, first);
          }
          const cosine = cosines[index] as number;
          sum += cosine;
          squares += cosine * cosine;
          count += 1;
          if (cosine >= best.floor()) best.offer(row, cosine);
        }
      }
      const hits = best.take().map(({ row, cosine }) => {
        const { kind, id, rev } = ownerOfRow[row] as Owner;
        return { kind, id, rev, similarity: cosine, passage: passageOfRow[row] as number };
      });
      return { hits, noise: noiseLevel(sum, squares, count) };
    },
    cosine(query, key) {
      const owner = ownerOf(key);
      if (owner === undefined || owner.rows.length === 0) return null;
      ask(query);
      let best = Number.NEGATIVE_INFINITY;
      for (const row of owner.rows) {
        const known = query === seenQuery ? (seen[row] as number) : Number.NaN;
        best = Math.max(best, Number.isNaN(known) ? (scan.cosines(row, 1)[0] as number) : known);
      }
      return best;
    },
    rows: () => usedRows - freeRows.length,
    sizeBytes: () => scan.sizeBytes(),
  };
}

/** Mean and deviation from sums; zeros for an empty scope. */
export function noiseLevel(sum: number, squares: number, rows: number): NoiseLevel {
  if (rows === 0) return { mean: 0, deviation: 0, rows: 0 };
  const mean = sum / rows;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / rows - mean * mean)), rows };
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
