// Measures how well memories are found: `npm run eval -- locomo|cosqa|cranfield|agentmem240|devbench|codinglife|smoke-update|silence|fit|all`.
// The evaluation data stay outside the repository (`--bench DIR`, default ../shared/bench): some of them may be read, not shipped.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCachedEmbedder } from './retrieval-quality/cached-embedder.ts';
import { fitWeights } from './retrieval-quality/fit.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bench: { type: 'string', default: '../shared/bench' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const bench = resolve(values.bench);
const report: Record<string, unknown> = {};
for (const name of positionals) {
  if (name === 'fit') {
    report.fit = await fitWeights(
      bench,
      createCachedEmbedder(),
      values.write ? 'daemon/retrieval/fusion-weights.ts' : null,
    );
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
