// The usual measures of a ranked list against the set of right answers; all between 0 and 1.

export type Measures = {
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg10: number;
  readonly mrr: number;
  readonly hit1: number;
};

export const measureNames = ['recall5', 'recall10', 'ndcg10', 'mrr', 'hit1'] as const;

/** `mrr` looks at the first 100; a document named twice counts once. */
export function measure(ranked: readonly string[], relevant: readonly string[]): Measures {
  const right = new Set(relevant);
  const hits = [...new Set(ranked)].slice(0, 100).map((id) => right.has(id));
  const recall = (k: number): number => hits.slice(0, k).filter(Boolean).length / right.size;
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  const dcg = hits.slice(0, 10).reduce((sum, hit, rank) => sum + (hit ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, right.size) }, (_, rank) => gain(rank)).reduce((a, b) => a + b, 0);
  const first = hits.indexOf(true);
  return {
    recall5: recall(5),
    recall10: recall(10),
    ndcg10: ideal === 0 ? 0 : dcg / ideal,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    hit1: hits[0] === true ? 1 : 0,
  };
}

export function meanOf(rows: readonly Measures[]): Measures {
  const mean = (name: keyof Measures): number =>
    rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return {
    recall5: mean('recall5'),
    recall10: mean('recall10'),
    ndcg10: mean('ndcg10'),
    mrr: mean('mrr'),
    hit1: mean('hit1'),
  };
}
