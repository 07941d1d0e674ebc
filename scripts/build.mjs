// Bundles each program into dist/. Pure JavaScript is bundled, so that a production install holds native packages alone
// and a program starts by reading a few files. The shim and the hooks are built apart: they may load nothing else.
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { buildPage } from './build-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const flags = new Set(process.argv.slice(2));
const native = [
  'better-sqlite3',
  'pg',
  '@lancedb/lancedb',
  'apache-arrow',
  '@huggingface/transformers',
  'onnxruntime-node',
  'sharp',
];

/** Bundled CommonJS packages ask for `require`, which an ES module lacks. */
const requireBanner =
  "import { createRequire as createRequire__ } from 'node:module'; const require = createRequire__(import.meta.url);";

/** zod brings its messages in fifty languages: 340 kB and a tenth of every start, for words of which ours replace all. */
const onlyEnglish = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
};

const light = {
  ...common,
  minify: true,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.dirname': '__dirname' },
  entryPoints: { loci: 'clients/main.ts' },
};

const heavy = {
  ...common,
  // the browser's driver serves measurements alone, from where it is installed
  external: [...native, 'playwright-core'],
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its main file asks for others by a `require` of its own
  splitting: true,
  plugins: [onlyEnglish],
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: requireBanner },
  entryPoints: {
    locid: 'daemon/main.ts',
    cli: 'clients/cli/main.ts',
    'embedding-worker': 'daemon/embeddings/worker.ts',
    'reader-worker': 'daemon/reader.worker.ts',
    'postgres-worker': 'daemon/postgres.worker.ts',
    'policy-worker': 'daemon/policies/policy.worker.ts',
    'backup-worker': 'daemon/backups/backup.worker.ts',
    'lance-process': 'daemon/storage/lance/lance.process.ts',
    'transcript-worker': 'daemon/transcripts/gather.worker.ts',
    'transfer-worker': 'daemon/transfer/transfer.worker.ts',
    ...(flags.has('--with-benchmarks') ? benchmarks() : {}),
    ...(flags.has('--with-docs') ? { 'write-docs': 'scripts/write-docs.ts' } : {}),
  },
};

function benchmarks() {
  const programs = { bench: 'benchmarks/main.ts', eval: 'benchmarks/eval.ts' };
  return Object.fromEntries(Object.entries(programs).filter(([, file]) => existsSync(`${root}/${file}`)));
}

/** What `loci setup` copies to agents; the folder is a Claude Code plugin too. */
function copyAgentTexts() {
  for (const name of ['.claude-plugin', 'commands', 'skills', 'opencode-plugin.js']) {
    cpSync(`${root}/clients/agents/${name}`, `${root}/dist/agent-texts/${name}`, { recursive: true });
  }
}

if (flags.has('--watch')) {
  for (const options of [light, heavy]) await (await context({ ...options, logLevel: 'info' })).watch();
  await buildPage({ watch: true });
} else {
  // old chunks stay unless asked: a daemon that runs from this folder may still load one
  if (flags.has('--clean')) rmSync(`${root}/dist`, { recursive: true, force: true });
  mkdirSync(`${root}/dist`, { recursive: true });
  copyAgentTexts();
  await Promise.all([build(light), build(heavy), buildPage()]);
  for (const program of ['loci.cjs', 'locid.js']) chmodSync(`${root}/dist/${program}`, 0o755);
}
