// Loci's hooks in the agents that have hooks: what they print is pasted into the settings, a prompt gets what fits it, a session's end is
// swept. The model answers by script; what it was sent shows what the agent put before it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentName, agents } from '../support/agents/agents.ts';
import { type AgentRun, openScene, type Scene } from '../support/agents/scene.ts';
import { root } from '../support/source-tree.ts';

const ofTheProject = 'The storefront is released on Tuesdays.';
const memory = 'Sessions of the storefront live in Redis, because a stolen one must be revocable at once.';
const loci = join(root, 'dist', 'loci.cjs');

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
  run('add', ofTheProject);
  run('call', 'memory_save', '--args', JSON.stringify({ content: memory, project: 'elsewhere' }));
  run('call', 'memory_update', '--args', JSON.stringify({ id: 2, project: null }));
});

afterAll(async () => {
  await scene?.end();
});

type Row = readonly [name: AgentName, printed: string, file: string, rule: string];

/** Where each agent reads its hooks, under which name Loci prints them, and what its user says. */
const rows: readonly Row[] = [
  [
    'Claude Code',
    'claude-code',
    '.claude/settings.json',
    'From now on we use pnpm instead of npm in this repo, because the lockfile is smaller.',
  ],
  [
    'Codex',
    'codex',
    '.codex/hooks.json',
    'We decided that invoices are rendered with Typst, because LaTeX took 9 seconds a page.',
  ],
  [
    'Gemini CLI',
    'gemini-cli',
    '.gemini/settings.json',
    'Never deploy on a Friday, the billing team is away on weekends.',
  ],
];

describe.each(rows)('%s', (name, printed, file, rule) => {
  it('puts a recap and what fits the prompt before the model, and nothing else; the session is swept', async () => {
    await scene.run(name, 'Say hello to me.'); // writes its settings
    paste(join(scene.folder, 'homes', agents[name].program, file), printed);
    run('recall', 'the model is loaded by this');

    const fitting = await scene.run(name, 'Where do the sessions of the storefront live?');
    expect(fitting).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
    expect(framesIn(fitting)).toEqual([expect.stringContaining(ofTheProject), expect.stringContaining(`| ${memory}`)]);
    const other = await scene.run(name, 'How long does a sourdough loaf stay in the oven?');
    expect(framesIn(other)).toEqual([expect.stringContaining(ofTheProject)]);

    await scene.run(name, rule);
    await until(() => contents().includes(rule));
    const swept = JSON.parse(run('search', rule, '--json', '-n', '1')) as { results: Record<string, unknown>[] };
    expect(swept.results).toMatchObject([{ content: rule, author: 'user', agent: printed }]);
    expect(contents().filter((content) => content.includes('Redis'))).toEqual([memory]);
  });
});

/** The frames that the model was sent, the recap first. Gemini CLI escapes what it puts around; where they stand is the agent's affair. */
function framesIn({ turns }: AgentRun): string[] {
  const sent = strings(turns.map(({ body }) => body))
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  const frames = [...sent.matchAll(/<(loci-memory-[a-p]+)>\n[\s\S]*?<\/\1>/g)].map(([frame]) => frame);
  return [...new Set(frames)].sort((a, b) => Number(b.includes('remembers')) - Number(a.includes('remembers')));
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** Adds the printed hooks to what stands in the file. */
function paste(file: string, printed: string): void {
  const hooks = JSON.parse(run('hook', '--home', home(), '--print', printed)) as object;
  let present: object = {};
  try {
    present = JSON.parse(readFileSync(file, 'utf8')) as object;
  } catch {
    mkdirSync(dirname(file), { recursive: true });
  }
  writeFileSync(file, JSON.stringify({ ...present, ...hooks }, null, 2));
}

function home(): string {
  return join(scene.folder, 'loci');
}

function run(...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: scene.folder, LOCI_HOME: home() };
  return execFileSync(process.execPath, [loci, ...args], { env, cwd: join(scene.folder, 'shop'), encoding: 'utf8' });
}

function contents(): string[] {
  const database = new Sqlite(scene.paths.database, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT content FROM memories ORDER BY id').pluck().all();
  } finally {
    database.close();
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isSo(); turn += 1) await sleep(100);
  expect(isSo()).toBe(true);
}
