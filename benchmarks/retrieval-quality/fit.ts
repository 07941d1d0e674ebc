// Fits the weights of the fusion (daemon/retrieval/fusion-weights.ts) and says how well they do on what they have not seen:
// each conversation by weights of the others, the odd half of CoSQA and Cranfield by weights of the even half.
// Memories in general are fitted candidate by candidate (logistic), which holds best on small sets it never saw; turns of
// conversations by what is chosen among all candidates (listwise), which ranks better where there is much to learn from.
import { writeFileSync } from 'node:fs';
import { type Candidates, gatherCandidates } from '#daemon/retrieval/candidates.ts';
import { fuse } from '#daemon/retrieval/fuse.ts';
import { featuresOfCandidates } from '#daemon/retrieval/fusion-features.ts';
import type { FittedWeights } from '#daemon/retrieval/fusion-weights.ts';
import { transcriptFeaturesOf } from '#daemon/retrieval/transcript-features.ts';
import type { CachedEmbedder } from './cached-embedder.ts';
import { readDataSet } from './data-sets.ts';
import { createBenchStore } from './in-process.ts';
import { type Measures, meanOf, measure } from './measures.ts';
import { printTable, type TableRow } from './report.ts';
import { fitListwise, fitLogistic, type Judged } from './solver.ts';

type Query = {
  readonly set: string;
  readonly scope: string;
  readonly half: 0 | 1;
  readonly docIds: readonly string[];
  readonly relevant: readonly string[];
  readonly sum: Measures;
  readonly memory: Judged;
  readonly transcript: Judged;
};

const fittedSets = ['locomo', 'cosqa', 'cranfield'];
const unseenSets = ['agentmem240', 'devbench', 'codinglife'];

export async function fitWeights(bench: string, embedder: CachedEmbedder, write: string | null): Promise<TableRow[]> {
  const queries: Query[] = [];
  for (const set of [...fittedSets, ...unseenSets]) queries.push(...(await judge(bench, set, embedder)));
  const turns = queries.filter(({ set }) => set === 'locomo');
  const halves = queries.filter(({ set, half }) => (set === 'cosqa' || set === 'cranfield') && half === 0);
  const memory = fitMemory([...turns, ...halves]);
  const transcript = fitTranscript(turns);

  const conversations = [...new Set(turns.map(({ scope }) => scope))];
  const leftOut = (learn: (seen: readonly Query[]) => FittedWeights, kind: 'memory' | 'transcript'): Measures[] =>
    conversations.flatMap((conversation) => {
      const weights = learn(turns.filter(({ scope }) => scope !== conversation));
      return turns.filter(({ scope }) => scope === conversation).map((query) => rank(query, query[kind], weights));
    });
  const rows: TableRow[] = [
    rowOf(
      'locomo',
      'sum',
      turns.map(({ sum }) => sum),
    ),
    rowOf(
      'locomo',
      'memory, left out',
      leftOut((seen) => fitMemory([...seen, ...halves]), 'memory'),
    ),
    rowOf('locomo', 'transcript, left out', leftOut(fitTranscript, 'transcript')),
  ];
  for (const set of ['cosqa', 'cranfield', ...unseenSets]) {
    const unseen = queries.filter((query) => query.set === set && (unseenSets.includes(set) || query.half === 1));
    rows.push(
      rowOf(
        set,
        'sum',
        unseen.map(({ sum }) => sum),
      ),
    );
    rows.push(
      rowOf(
        set,
        'memory, unseen',
        unseen.map((query) => rank(query, query.memory, memory)),
      ),
    );
  }
  printTable('Fitted fusion on what it has not seen', rows);
  const text = weightsFile(memory, transcript);
  if (write === null) console.log(text);
  else {
    writeFileSync(write, text);
    console.log(`written to ${write}: run \`npm run format\` and look at the difference`);
  }
  return rows;
}

/** Every candidate of every query with its features and whether it is right. */
async function judge(bench: string, set: string, embedder: CachedEmbedder): Promise<Query[]> {
  const { memories, queries } = readDataSet(bench, set);
  const store = await createBenchStore(memories, embedder);
  const judged: Query[] = [];
  for (const [index, { text, scope, relevant }] of queries.entries()) {
    const filter = store.filterOf(scope);
    const candidates: Candidates = await gatherCandidates(store, { text, filter, mode: 'hybrid' });
    const docIds = candidates.list.map(({ id }) => store.docIdOf(id));
    const right = docIds.map((docId) => relevant.includes(docId));
    const own = featuresOfCandidates(candidates);
    const context = transcriptFeaturesOf(candidates);
    const bySum = fuse(candidates, { method: 'sum' }).map(({ id }) => store.docIdOf(id));
    judged.push({
      set,
      scope,
      half: index % 2 === 0 ? 0 : 1,
      docIds,
      relevant,
      sum: measure(bySum, relevant),
      memory: { rows: own, right },
      transcript: { rows: own.map((row, at) => [...row, ...(context[at] ?? [])]), right },
    });
  }
  await store.close();
  return judged;
}

function fitMemory(queries: readonly Query[]): FittedWeights {
  return fitLogistic(queries.map(({ memory }) => memory));
}

/** A listwise fit has no level of its own: a second, logistic one over its scores gives it the odds of being right. */
function fitTranscript(queries: readonly Query[]): FittedWeights {
  const { values } = fitListwise(queries.map(({ transcript }) => transcript));
  const scored = queries.map(({ transcript: { rows, right } }) => ({
    rows: rows.map((row) => [scoreOf(row, { bias: 0, values })]),
    right,
  }));
  const level = fitLogistic(scored, 0);
  const scale = level.values[0] ?? 1;
  return { bias: level.bias, values: values.map((value) => value * scale) };
}

function rank(query: Query, { rows }: Judged, weights: FittedWeights): Measures {
  const scored = rows.map((row, index) => ({ score: scoreOf(row, weights), docId: query.docIds[index] ?? '', index }));
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return measure(
    scored.map(({ docId }) => docId),
    query.relevant,
  );
}

function scoreOf(row: readonly number[], { bias, values }: FittedWeights): number {
  return values.reduce((sum, value, index) => sum + value * (row[index] ?? 0), bias);
}

function rowOf(set: string, method: string, measures: readonly Measures[]): TableRow {
  return { set, method, queries: measures.length, ...meanOf(measures) };
}

function weightsFile(memory: FittedWeights, transcript: FittedWeights): string {
  const table = ({ bias, values }: FittedWeights): string =>
    `{\n  bias: ${round(bias)},\n  values: [\n${values.map((value) => `    ${round(value)},\n`).join('')}  ],\n}`;
  return `// Fitted by \`npm run eval -- fit\`, never by hand.

/** The logarithm of the odds of being right is \`bias\` plus the sum of each value times its feature. */
export type FittedWeights = { readonly bias: number; readonly values: readonly number[] };

/** In the order of \`featureNames\`. */
export const memoryWeights: FittedWeights = ${table(memory)};

/** In the order of \`featureNames\`, then \`transcriptFeatureNames\`. */
export const transcriptWeights: FittedWeights = ${table(transcript)};
`;
}

function round(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
