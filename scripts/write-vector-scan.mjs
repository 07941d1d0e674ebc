// Compiles daemon/storage/vectors/vector-scan.wat into the bytes that the reader worker runs. Needed only after that file changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const folder = fileURLToPath(new URL('../daemon/storage/vectors/', import.meta.url));
const compiler = await wabt();
const program = compiler.parseWat('vector-scan.wat', readFileSync(`${folder}vector-scan.wat`, 'utf8'), { simd: true });
const bytes = Buffer.from(program.toBinary({}).buffer).toString('base64');
const lines = bytes.match(/.{1,110}/g).map((line) => `  '${line}',`);
writeFileSync(
  `${folder}vector-scan-bytes.ts`,
  `// Written by scripts/write-vector-scan.mjs from vector-scan.wat: change that, not this.\n\n/** The compiled scan, in base64. */\nexport const vectorScanBytes = [\n${lines.join('\n')}\n].join('');\n`,
);
