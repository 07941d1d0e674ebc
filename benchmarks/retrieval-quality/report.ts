import type { Measures } from './measures.ts';

export type TableRow = Measures & { readonly set: string; readonly method: string; readonly queries: number };

/** Prints rows as a table that a person can read; the same rows go to JSON. */
export function printTable(title: string, rows: readonly TableRow[]): void {
  console.log(`\n${title}`);
  console.log(
    `${'set'.padEnd(14)}${'method'.padEnd(24)}${'n'.padStart(5)}  recall@5 recall@10  nDCG@10      MRR    hit@1`,
  );
  for (const row of rows) {
    const numbers = [row.recall5, row.recall10, row.ndcg10, row.mrr, row.hit1].map((value) =>
      value.toFixed(3).padStart(9),
    );
    console.log(`${row.set.padEnd(14)}${row.method.padEnd(24)}${String(row.queries).padStart(5)} ${numbers.join('')}`);
  }
}
