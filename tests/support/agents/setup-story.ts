// What `loci setup` promises of an agent, told once for each: it alone is run in a fresh home, and then the agent shows the server, gets
// what fits a prompt, leaves what was decided, works on while the daemon does not answer, and has nothing of Loci left after `--undo`.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendSignal } from '../send-signal.ts';
import { type AgentName, agents } from './agents.ts';
import { type AgentRun, openScene, type Scene } from './scene.ts';

export type StoryRow = {
  readonly name: AgentName;
  /** What `mcp list` prints of a server that answers. */
  readonly connected: RegExp;
  /** Its hooks put something before the model. */
  readonly hears: boolean;
  /** What its user decides, which the end of the session stores; null where an agent leaves no transcript that Loci reads. */
  readonly decision: string | null;
};

const memory = 'Sessions of the storefront live in Redis, because a stolen one must be revocable at once.';
const question = 'Where do the sessions of the storefront live?';

export function tellSetupStory(rows: readonly StoryRow[]): void {
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene({ names: rows.map(({ name }) => name), isBySetup: true });
    const memories = [memory, ...distractions].map((content) => ({
      content,
      project: 'elsewhere',
      on_duplicate: 'keep',
    }));
    const any = rows[0]?.name ?? 'Codex';
    const saved = await scene.loci(any, ['call', 'memory_save_many', '--args', JSON.stringify({ memories })]);
    expect(saved, saved.stderr).toMatchObject({ code: 0 });
    await scene.loci(any, ['call', 'memory_update', '--args', JSON.stringify({ id: 1, project: null })]);
    await scene.loci(any, ['recall', 'the model is loaded by this']);
  });

  afterAll(async () => {
    await scene?.end();
  });

  describe.each(rows)('$name', ({ name, connected, hears, decision }) => {
    it('shows Loci as connected after `loci setup` alone', async () => {
      await scene.run(name, 'Say hello to me.');
      const listed = await scene.command(name, ['mcp', 'list']);
      expect(`${listed.stdout}${listed.stderr}`).toMatch(connected);
    });

    if (hears)
      it('puts what fits a prompt before the model, and nothing where nothing fits', async () => {
        const fitting = await scene.run(name, question);
        expect(fitting, fitting.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
        expect(sentTo(fitting)).toContain(memory);
        const other = await scene.run(name, 'How long does a sourdough loaf stay in the oven?');
        for (const content of [memory, ...distractions]) expect(sentTo(other)).not.toContain(content);
      });

    if (decision !== null)
      it('leaves what was decided, and the next session of another agent finds it', async () => {
        const said = decision;
        await scene.run(name, said);
        await until(() => contents(scene).some((content) => content.includes(said))); // OpenCode puts quotes around
        const finder = rows.find((row) => row.name === 'Codex')?.name ?? name;
        const found = await scene.run(
          finder,
          `Look it up.\nCALL memory_search ${JSON.stringify({ query: said, limit: 1 })}\nSAY Found.`,
        );
        expect(found.turns.flatMap(({ conversation }) => conversation.results).join('\n')).toContain(said.slice(0, 40));
      });

    it('may call the tools that can erase, which Codex refuses unless they are allowed by name', async () => {
      const fact = {
        action: 'save',
        category: 'technical',
        key: `seen_by_${agents[name].program}`,
        value: 'It called.',
      };
      const health = { tool_name: 'memory_health', arguments: {} };
      const calls = [`CALL memory ${JSON.stringify(fact)}`, `CALL execute_tool ${JSON.stringify(health)}`, 'SAY Done.'];
      const run = await scene.run(name, ['Note a fact.', ...calls].join('\n'));
      const results = run.turns.at(-1)?.conversation.results.join('\n') ?? '';
      expect(results).toMatch(/created/);
      expect(results).toMatch(/status/);
    });

    it('answers while the daemon is stopped by SIGSTOP', async () => {
      const pid = await scene.daemonPid();
      expect(pid).not.toBeNull();
      sendSignal(pid, 'SIGSTOP');
      try {
        const run = await scene.run(name, question);
        expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
      } finally {
        sendSignal(pid, 'SIGCONT');
      }
    });
  });

  // at the end, because one agent finds what another has stored
  describe.each(rows)('$name', ({ name }) => {
    it('has nothing of Loci left after --undo', async () => {
      const undone = await scene.loci(name, ['setup', '--undo', '--agent', agents[name].setupName, '--yes', '--json']);
      expect(undone, undone.stderr).toMatchObject({ code: 0 });
      const { files } = JSON.parse(undone.stdout) as { files: { file: string; state: string; why: string | null }[] };
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter(({ why }) => why !== null)).toEqual([]);
      for (const { file } of files) if (existsSync(file)) expect(readFileSync(file, 'utf8')).not.toContain('loci.cjs');
      const listed = await scene.command(name, ['mcp', 'list']);
      expect(listed.stdout).not.toMatch(/^\W*loci\b/m);
      expect(
        namesBelow(scene.settingOf(name).home).filter((path) => /(?:skills|commands|plugins|hooks)\/loci/.test(path)),
      ).toEqual([]);
    });
  });

  it('asked for nothing outside of the machine with a word of the memories', () => {
    expect(scene.model.outside.filter((host) => /loci|registry/.test(host))).toEqual([]);
  });
}

/** So many that what fits has to be found among them. */
const distractions = [
  ...['invoices', 'returns', 'coupons', 'search', 'images', 'mail', 'stock', 'taxes', 'refunds', 'audit'].flatMap(
    (part) => [
      `The ${part} service is written in Go and deployed on Thursdays.`,
      `Logs of ${part} are kept for ninety days in the cold bucket.`,
      `The ${part} team reviews its alerts each Monday at nine.`,
    ],
  ),
];

/** Everything that the model was sent, as text. */
function sentTo({ turns }: AgentRun): string {
  return strings(turns.map(({ body }) => body)).join('\n');
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

function contents({ paths }: Scene): string[] {
  const database = new Sqlite(paths.database, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT content FROM memories ORDER BY id').pluck().all();
  } finally {
    database.close();
  }
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() && !entry.isSymbolicLink() ? [path, ...namesBelow(path)] : [path];
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 300) throw new Error('it did not come to pass within 30 s');
    await sleep(100);
  }
}
