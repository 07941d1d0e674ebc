// What a stranger does: `npm pack`, install the tarball globally into an empty prefix, run it. With npm 10 and with npm 11, which treat
// install scripts differently, side by side, because most of the time goes into building better-sqlite3 on one core. Each step is one
// line; the last one counts them for CI.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'loci-pack-'));
const maxInstallMb = 450;
let passed = 0;
let failed = 0;

const run = promisify(execFile);

try {
  const tarball = await step('npm pack makes a tarball with the tested tree of packages', pack);
  if (tarball !== undefined) await Promise.all(['10', '11'].map((npm) => smoke(tarball, npm)));
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(` Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})`);
process.exit(failed === 0 ? 0 : 1);

function pack() {
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', work], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const names = files.map(({ path }) => path);
  for (const name of [
    'npm-shrinkwrap.json',
    'dist/loci.cjs',
    'dist/locid.js',
    'service-units/loci.service',
    'vendor/empty/package.json',
    'dist/loci-vscode.vsix',
  ]) {
    if (!names.includes(name)) throw new Error(`${name} is not in it`);
  }
  if (existsSync(join(root, 'npm-shrinkwrap.json'))) throw new Error('npm-shrinkwrap.json was left in the checkout');
  return join(work, filename);
}

async function smoke(tarball, npm) {
  const folder = join(work, `npm ${npm}`); // with a blank, as prefixes have them
  const [prefix, home] = [join(folder, 'prefix'), join(folder, 'home')];
  for (const one of [prefix, home]) mkdirSync(one, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LOCI_PORT: '0' };
  const installed = await step(`npm ${npm} installs it globally into an empty prefix`, async () => {
    // the line of the README: it keeps onnxruntime-node from fetching CUDA
    const installing = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip' };
    const words = [
      '--yes',
      `npm@${npm}`,
      'install',
      '--global',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      tarball,
    ];
    await run('npx', words, { env: installing, cwd: work });
  });
  if (installed === undefined) return;
  await step(`npm ${npm}: what is left on the disk is at most ${maxInstallMb} MB`, () => {
    const megabytes = Math.round(sizeOf(join(prefix, 'lib', 'node_modules', 'loci-memory')) / 2 ** 20);
    if (megabytes > maxInstallMb) throw new Error(`it is ${megabytes} MB`);
    return `${megabytes} MB`;
  });
  const loci = async (...args) => (await run(join(prefix, 'bin', 'loci'), args, { env, cwd: home })).stdout;
  await step(`npm ${npm}: loci --version`, async () => mustHold(/^\d+\.\d+\.\d+/, await loci('--version')));
  await step(`npm ${npm}: loci add and loci search, by meaning`, async () => {
    await loci('add', 'Deploys run on Tuesdays because the billing job owns Monday.', '--quiet');
    await loci('add', 'The office plants are watered by the night shift.', '--quiet');
    const { results, degraded } = JSON.parse(await loci('search', 'when do we ship a release', '--json'));
    if (degraded?.length > 0) throw new Error(`degraded: ${degraded}`);
    mustHold(/Deploys run/, results[0]?.content ?? '');
  });
  await step(`npm ${npm}: loci doctor finds nothing broken`, async () =>
    mustHold(/"status":"ok"/, await loci('doctor', '--json')),
  );
  await step(`npm ${npm}: loci stop, and the doctor looks offline`, async () => {
    await loci('stop', '--quiet');
    mustHold(/"about":"database","status":"ok"/, await loci('doctor', '--json'));
  });
}

/** Runs a step and prints its line; undefined when it failed. */
async function step(name, work_) {
  const startedMs = Date.now();
  try {
    const value = (await work_()) ?? 'done';
    passed += 1;
    console.log(`ok ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s, ${value})`);
    return value;
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    return undefined;
  }
}

function mustHold(pattern, text) {
  if (!pattern.test(text)) throw new Error(`${text} does not match ${pattern}`);
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);
}
