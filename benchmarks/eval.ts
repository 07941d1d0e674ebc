// Measures how well memories are found: `npm run eval -- locomo|cosqa|cranfield|agentmem240|devbench|codinglife|smoke-update|silence|strength|reembed|fit|all`.
// The evaluation data stay outside the repository (`--bench DIR`, default ../shared/bench): they may be read, some may not be shipped.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCachedEmbedder } from './retrieval-quality/cached-embedder.ts';
import { dataSetFolders, readDataSet } from './retrieval-quality/data-sets.ts';
import { measureStrengths } from './retrieval-quality/decay-strength.ts';
import { fitWeights } from './retrieval-quality/fit.ts';
import { measureSet, measureUpdates } from './retrieval-quality/measure-sets.ts';
import { measureReEmbedding } from './retrieval-quality/re-embedding.ts';
import { printTable } from './retrieval-quality/report.ts';
import { measureSilence, printSilence, type SilenceRow } from './retrieval-quality/silence.ts';

const everything = [...Object.keys(dataSetFolders), 'silence', 'strength', 'reembed', 'fit'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bench: { type: 'string', default: '../shared/bench' },
    json: { type: 'string' },
    models: { type: 'string', default: '../shared/models' },
    write: { type: 'boolean', default: false },
  },
});

const bench = resolve(values.bench);
const report: Record<string, unknown> = {};
for (const name of positionals.includes('all') ? everything : positionals) report[name] = await run(name);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);

async function run(name: string): Promise<unknown> {
  if (name === 'fit') {
    return fitWeights(bench, createCachedEmbedder(), values.write ? 'daemon/retrieval/fusion-weights.ts' : null);
  }
  if (name === 'silence') return silence();
  if (name === 'reembed') return measureReEmbedding(resolve(values.models));
  if (name === 'strength') return measureStrengths(bench, createCachedEmbedder());
  if (dataSetFolders[name] === undefined) throw new Error(`unknown set ${name}: ${everything.join(', ')} or all`);
  if (name === 'smoke-update') {
    const figures = await measureUpdates(readDataSet(bench, name));
    console.log('\nAn older and a newer statement');
    for (const [when, { hitAt1, staleInTop5 }] of Object.entries(figures)) {
      console.log(
        `${when.padEnd(8)} supersedes: hit@1 ${hitAt1.toFixed(3)}, stale in the top 5 ${staleInTop5.toFixed(3)}`,
      );
    }
    return figures;
  }
  const rows = await measureSet(readDataSet(bench, name));
  printTable(`${name}, through the API`, rows);
  return rows;
}

async function silence(): Promise<SilenceRow[]> {
  const unrelated = readDataSet(bench, 'cosqa').queries.map(({ text }) => text);
  const rows: SilenceRow[] = [];
  for (const set of ['devbench', 'codinglife', 'agentmem240']) {
    rows.push(await measureSilence(readDataSet(bench, set), unrelated));
  }
  printSilence(rows);
  return rows;
}
