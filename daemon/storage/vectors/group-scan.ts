// Memories of one group (same user, project and type) compared with each other, from vectors in memory: 10,000 searches would
// cost minutes. A thing of several passages is like another when each passage of the shorter has a partner in the longer, so
// the similarity of two things is the weakest of those best partners; of two equally long ones each is asked. Comparing a large group takes seconds, so it pauses
// every few milliseconds: a search that comes meanwhile waits for one slice, not for the group.
import { createVectorScan, scanBlockRows } from './vector-scan.ts';

export type GroupThing = { readonly id: number; readonly passages: readonly Uint8Array[] };

/** A thing by its place in the group, and how like the asked one it is. */
export type Alike = { readonly index: number; readonly similarity: number };

export type GroupScan = {
  /** Replaces the group. Passages are little-endian float32 of the scan's length; others are left out. */
  load(things: readonly GroupThing[]): void;
  size(): number;
  idOf(index: number): number;
  /** Things behind `index` whose similarity is above `threshold`, in order; those marked 1 in `skip` are not looked at. */
  later(index: number, threshold: number, skip: Uint8Array, pace: Pace): Promise<Alike[]>;
  similarity(a: number, b: number): number;
};

/** Lets other questions pass once a slice of time is used up. */
export type Pace = { breathe(): Promise<void> };

const sliceMs = 2;

export function createPace(): Pace {
  let sinceMs = performance.now();
  return {
    async breathe() {
      if (performance.now() - sinceMs < sliceMs) return;
      await new Promise((resolve) => setImmediate(resolve));
      sinceMs = performance.now();
    },
  };
}

export function createGroupScan(dimensions: number): GroupScan {
  const scan = createVectorScan(dimensions);
  const ids: number[] = [];
  /** The first row of each thing; the last entry is the number of rows. */
  let firstRow: number[] = [0];
  let thingOfRow: number[] = [];

  function rowsOf(index: number): [number, number] {
    return [firstRow[index] as number, firstRow[index + 1] as number];
  }

  function similarity(a: number, b: number): number {
    const [one, other] = [rowsOf(a), rowsOf(b)];
    const surplus = one[1] - one[0] - (other[1] - other[0]);
    if (surplus === 0) return Math.min(weakestPartner(one, other), weakestPartner(other, one));
    return surplus < 0 ? weakestPartner(one, other) : weakestPartner(other, one);
  }

  /** How near the passage of `shorter` is that has the farthest nearest partner in `longer`. */
  function weakestPartner(shorter: [number, number], longer: [number, number]): number {
    let weakest = 1;
    for (let row = shorter[0]; row < shorter[1]; row += 1) {
      scan.setQuery(scan.readRow(row));
      let best = -1;
      for (let first = longer[0]; first < longer[1]; first += scanBlockRows) {
        const rows = Math.min(scanBlockRows, longer[1] - first);
        best = Math.max(best, ...scan.cosines(first, rows));
      }
      weakest = Math.min(weakest, best);
    }
    return weakest;
  }

  return {
    load(things) {
      ids.length = 0;
      firstRow = [0];
      thingOfRow = [];
      for (const { id, passages } of things) {
        const whole = passages.filter((bytes) => bytes.byteLength === dimensions * Float32Array.BYTES_PER_ELEMENT);
        if (whole.length === 0) continue;
        for (const bytes of whole) {
          scan.writeRow(thingOfRow.length, bytes);
          thingOfRow.push(ids.length);
        }
        ids.push(id);
        firstRow.push(thingOfRow.length);
      }
    },
    size: () => ids.length,
    idOf: (index) => ids[index] as number,
    async later(index, threshold, skip, pace) {
      const [start, end] = rowsOf(index);
      const near = new Map<number, number>();
      for (let row = start; row < end; row += 1) {
        const query = scan.readRow(row);
        for (let first = end; first < thingOfRow.length; first += scanBlockRows) {
          await pace.breathe();
          scan.setQuery(query);
          const rows = Math.min(scanBlockRows, thingOfRow.length - first);
          const cosines = scan.cosines(first, rows);
          for (let at = 0; at < rows; at += 1) {
            const cosine = cosines[at] as number;
            if (cosine <= threshold) continue;
            const thing = thingOfRow[first + at] as number;
            if (skip[thing] !== 1) near.set(thing, Math.max(cosine, near.get(thing) ?? -1));
          }
        }
      }
      const isShort = (thing: number): boolean => rowsOf(thing)[1] - rowsOf(thing)[0] === 1;
      return [...near]
        .map(([thing, cosine]) => ({
          index: thing,
          similarity: isShort(index) && isShort(thing) ? cosine : similarity(index, thing),
        }))
        .filter((found) => found.similarity > threshold)
        .sort((a, b) => a.index - b.index);
    },
    similarity,
  };
}
