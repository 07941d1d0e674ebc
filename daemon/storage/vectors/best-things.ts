// The best things of a stream of rows with their cosines. Of ten thousand rows a thousand are among the best for a while, so what is kept
// is flat: cosines and rows in two typed arrays, put in order as plain numbers. Objects and a comparison function took longer
// than the cosines themselves.

export type BestRow = { readonly row: number; readonly cosine: number };

export type BestThings = {
  /** No row below this cosine can be among the best. */
  floor(): number;
  offer(row: number, cosine: number): void;
  /** The best row of each of the best things, best first; equal ones by the thing's id, then by row. */
  take(): BestRow[];
};

/** How rows belong to things. */
export type RowOwners = {
  readonly idOf: (row: number) => number;
  /** Whether the thing has no other row. */
  readonly isAlone: (row: number) => boolean;
  /** The thing itself, compared by identity. */
  readonly ownerOf: (row: number) => object;
};

/** Rows kept for each one that is wanted, before the worse ones are thrown away. */
const slack = 4;
/** Positions in the buffer fit below this. */
const maxBuffered = 2 ** 20;

/** Keeps the `limit` (below 250,000) best things. */
export function createBestThings(limit: number, owners: RowOwners): BestThings {
  const size = limit * slack;
  const cosines = new Float32Array(size);
  const rows = new Int32Array(size);
  const bits = new Uint32Array(cosines.buffer);
  let used = 0;
  let floor = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;

  /** Positions of the buffer, best cosine first, equal ones by id and row. */
  function inOrder(): number[] {
    const keys = new Float64Array(used);
    for (let at = 0; at < used; at += 1) keys[at] = fallingRank(bits[at] as number) * maxBuffered + at;
    keys.sort();
    const order = Array.from(keys, (key) => key % maxBuffered);
    sortEqual(order);
    return order;
  }

  /** Equal cosines come of equal texts and are rare: runs of them are put in order one by one. */
  function sortEqual(order: number[]): void {
    for (let start = 0, end = 1; start < order.length; start = end, end += 1) {
      while (end < order.length && cosines[order[end] as number] === cosines[order[start] as number]) end += 1;
      if (end - start > 1) order.splice(start, end - start, ...order.slice(start, end).sort(byIdAndRow));
    }
  }

  function byIdAndRow(a: number, b: number): number {
    const [one, other] = [rows[a] as number, rows[b] as number];
    return owners.idOf(one) - owners.idOf(other) || one - other;
  }

  function best(): BestRow[] {
    const seen = new Set<object>();
    const found: BestRow[] = [];
    for (const at of inOrder()) {
      if (found.length === limit) break;
      const row = rows[at] as number;
      if (!owners.isAlone(row)) {
        const owner = owners.ownerOf(row);
        if (seen.has(owner)) continue;
        seen.add(owner);
      }
      found.push({ row, cosine: cosines[at] as number });
    }
    return found;
  }

  function cut(): void {
    const kept = best();
    used = kept.length;
    for (const [at, { row, cosine }] of kept.entries()) {
      rows[at] = row;
      cosines[at] = cosine;
    }
    if (used === limit) floor = kept.at(-1)?.cosine ?? floor;
  }

  return {
    floor: () => floor,
    offer(row, cosine) {
      if (used === size) cut();
      rows[used] = row;
      cosines[used] = cosine;
      used += 1;
    },
    take: best,
  };
}

/** A whole number that falls as the float32 of these bits grows. */
function fallingRank(bits: number): number {
  return bits >= 0x80000000 ? bits : 0x7fffffff - bits;
}
