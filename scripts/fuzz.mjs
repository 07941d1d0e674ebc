// schemathesis against the daemon's own description of its API: a real process, a home of its own, a model that is a function of the text.
// Ends with 1 when an answer was a server error, carried a stack, or broke its schema. Python and the package index are needed once.
// node scripts/fuzz.mjs [--examples N] [--seed N] [--only REGEX]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '80' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const venv = join(tmpdir(), 'loci-fuzz-venv');
const version = '4.32.5';
/** Walks of the file system, and answers that never end. */
const leftOut = '^/(?:memories/compress|operations/memory_compress|events|api/v1/activity/stream)$';

const home = mkdtempSync(join(tmpdir(), 'loci-fuzz-'));
const model = await startModel();
const daemon = startDaemon(model.port);
let code = 1;
try {
  const { port, token } = await readyDaemon();
  await plant(`http://127.0.0.1:${port}`, token);
  code = await runSchemathesis(ensureSchemathesis(), `http://127.0.0.1:${port}`, token);
  if (daemon.exitCode !== null) {
    process.stderr.write('the daemon died\n');
    code = 1;
  }
  const logFile = join(home, 'state', 'log', 'locid.log'); // made by the first line of it
  const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  const inside = log.split('\n').filter((line) => line.includes('a request failed inside'));
  for (const line of [...new Set(inside.map(withoutTimes))].slice(0, 20)) process.stderr.write(`${line}\n`);
  if (inside.length > 0) code = 1;
} finally {
  daemon.kill('SIGTERM');
  await new Promise((resolve) => (daemon.exitCode === null ? daemon.once('exit', resolve) : resolve()));
  model.server.close();
  if (code === 0) rmSync(home, { recursive: true, force: true });
  else process.stderr.write(`what it left is in ${home}\n`);
}
process.exit(code);

function withoutTimes(line) {
  const { err, where, msg } = JSON.parse(line);
  return JSON.stringify({ where, msg, message: err?.message, stack: err?.stack?.split('\n').slice(0, 4) });
}

/** An embedding server: 384 numbers by the hash of the text. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const input = [JSON.parse(text).input].flat();
    const data = input.map((each, index) => ({ index, embedding: vectorOf(String(each)) }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: server.address().port };
}

function vectorOf(text) {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: 384 }, (_, index) => (bytes[index % 64] ?? 0) / 128 - 1 + index / 10_000);
}

/** Three of each kind, so that the small ids which are tried most often lead somewhere. */
async function plant(url, token) {
  const call = async (operation, input) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/operations/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`);
  };
  for (const number of [1, 2, 3]) {
    const project_id = number;
    await call('create_project', { name: `project ${number}`, description: 'planted' });
    await call('create_document', { title: `document ${number}`, content: '# One\n\nText', project_id });
    await call('create_code_artifact', {
      title: `code ${number}`,
      description: 'd',
      code: 'x()',
      language: 'js',
      project_id,
    });
    await call('create_file', {
      filename: `${number}.txt`,
      description: 'd',
      mime_type: 'text/plain',
      data: 'aGVsbG8=',
    });
    await call('create_skill', { name: `skill-${number}`, description: 'd', content: 'Do it.', project_id });
    await call('create_memory', {
      title: `note ${number}`,
      content: `note number ${number}`,
      context: '',
      keywords: [],
      tags: [],
      importance: 7,
      project_ids: [number],
    });
    await call('create_entity', { name: `entity ${number}`, entity_type: 'Team' });
    await call('create_plan', { title: `plan ${number}`, project_id, status: 'active' });
    await call('create_task', { title: `task ${number}`, plan_id: number });
    await call('add_criterion', { task_id: number, description: 'met' });
  }
  await call('link_memories', { memory_id: 1, related_ids: [2] });
  await call('create_entity_relationship', { from_entity_id: 1, to_entity_id: 2, relationship_type: 'owns' });
}

function startDaemon(modelPort) {
  return spawn(process.execPath, [join(root, 'dist/locid.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LOCI_HOME: home,
      LOCI_PORT: '0',
      LOCI_LOG_LEVEL: 'warn',
      LOCI_EMBEDDING_PROVIDER: 'openai',
      LOCI_EMBEDDING_MODEL: 'all-minilm',
      LOCI_EMBEDDING_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
      MALLOC_ARENA_MAX: '2',
    },
  });
}

async function readyDaemon() {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const card = join(home, 'data', 'locid.json');
    if (!existsSync(card)) continue;
    const { port } = JSON.parse(readFileSync(card, 'utf8'));
    if (typeof port !== 'number') continue;
    const token = readFileSync(join(home, 'config', 'token'), 'utf8').trim();
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    if (health.status === 200) return { port, token };
  }
  throw new Error('the daemon did not start');
}

function ensureSchemathesis() {
  const program = join(venv, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  run('python3', ['-m', 'venv', venv]);
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`]);
  return program;
}

function run(program, args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
}

function runSchemathesis(program, url, token) {
  const config = join(home, 'schemathesis.toml');
  writeFileSync(config, `headers = { Authorization = "Bearer ${token}" }\n`, { mode: 0o600 });
  // not waited for in one piece: the model answers from this process
  const child = spawn(
    program,
    [
      '--config-file',
      config,
      'run',
      `${url}/openapi.json`,
      '--url',
      url,
      '--checks',
      'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      values.examples,
      '--seed',
      values.seed,
      '--exclude-path-regex',
      leftOut,
      ...(values.only === undefined ? [] : ['--include-path-regex', values.only]),
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      '--request-timeout',
      '60',
    ],
    { stdio: 'inherit', cwd: home, env: { ...process.env, PYTHONUNBUFFERED: '1' } },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
