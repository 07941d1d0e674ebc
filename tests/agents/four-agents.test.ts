// The real agents, each in a HOME of its own, against one daemon: what users run, but for the model, which answers by script.

import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentName } from '../support/agents/agents.ts';
import { type AgentRun, openScene, type Scene } from '../support/agents/scene.ts';
import { createTranscript, lastResult, type Transcript } from '../support/agents/transcript.ts';
import { sendSignal } from '../support/send-signal.ts';

const decision = 'Sessions live in Redis, not in JWTs, because a stolen one must be revocable at once.';
const fact = 'The staging database is PostgreSQL 17 on port 5433.';

let scene: Scene;
let transcript: Transcript;

beforeAll(async () => {
  scene = await openScene();
  transcript = createTranscript(scene.folder);
});

afterAll(async () => {
  transcript?.write();
  await scene?.end();
});

describe('one memory for four agents', () => {
  it('what one agent saves is found by the others and by curl, through one daemon, and is stored once', async () => {
    transcript.heading('One memory for four agents');
    const saved = await scene.run(
      'Claude Code',
      script('Remember where sessions live, and why.', ['memory_save', { content: decision, type: 'decision' }]),
    );
    expect(resultOf(saved)).toMatchObject({ outcome: 'created', project: expect.stringContaining('acme/shop') });
    transcript.session(saved);
    const daemon = await scene.daemonPid();

    for (const [agent, query] of [
      ['Codex', 'where we keep sessions'],
      ['OpenCode', 'how to revoke a stolen login'],
    ] as const) {
      const found = await scene.run(agent, script(`Tell me ${query}.`, ['memory_search', { query }]));
      expect(resultOf(found).results).toMatchObject([{ content: decision, type: 'decision', agent: 'claude-code' }]);
      transcript.session(found);
    }

    const noted = await scene.run(
      'Gemini CLI',
      script('Note the staging database.', [
        'memory',
        { action: 'save', category: 'technical', key: 'staging_database', value: fact },
      ]),
    );
    const { id, created } = resultOf(noted);
    expect(created).toBe(true);
    transcript.session(noted);

    const path = '/memories/search?q=staging+database&limit=1';
    const answer = await get(path);
    expect(JSON.parse(answer).results).toMatchObject([{ id, content: fact, key: 'staging_database' }]);
    transcript.command(['curl', '--unix-socket', scene.paths.httpSocket, `http://localhost${path}`], answer);

    expect(await scene.daemonPid()).toBe(daemon);
    expect(contents()).toEqual([decision, fact]);
  });

  it.each<AgentName>(['Claude Code', 'Codex', 'OpenCode', 'Gemini CLI'])(
    '%s goes on when the daemon is killed between two of its calls',
    async (agent) => {
      transcript.heading(`The daemon is killed under ${agent}`);
      const content = `${agent} has seen a daemon die and its memory live on.`;
      const killed: number[] = [];
      scene.model.beforeReply = async ({ conversation, reply }) => {
        if (conversation.results.length === 1 && 'call' in reply) killed.push(await killTheDaemon());
      };
      const run = await scene.run(
        agent,
        script(
          'Save this and read it back.',
          ['memory_save', { content }],
          ['memory_search', { query: `${agent} daemon die`, limit: 1 }],
        ),
      );
      scene.model.beforeReply = null;
      expect(killed).toHaveLength(1);
      expect(killed).not.toContain(await scene.daemonPid());
      expect(resultOf(run).results).toMatchObject([{ content }]);
      expect(contents().filter((stored) => stored === content)).toHaveLength(1);
      transcript.session(run, `Here the daemon, process ${killed[0]}, is killed with signal 9.`);
    },
  );

  it('none of this asked for anything outside of the machine', () => {
    expect(scene.model.outside).toEqual([]);
  });
});

const closing = 'That is done.';

function script(wish: string, ...calls: (readonly [tool: string, args: object])[]): string {
  const lines = calls.map(([tool, args]) => `CALL ${tool} ${JSON.stringify(args)}`);
  return [wish, ...lines, `SAY ${closing}`].join('\n');
}

/** What the model was told by the last call, as JSON; the session must have ended well and with the model's words. */
function resultOf(run: AgentRun): Record<string, unknown> {
  expect(run, `${run.stdout}${run.stderr}`).toMatchObject({ code: 0, stdout: expect.stringContaining(closing) });
  const last = run.turns.findLast(({ conversation }) => conversation.tools.length > 0);
  const text = last === undefined ? '' : lastResult(last);
  return JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? `"${text}"`) as Record<string, unknown>;
}

/** Every memory in the store, in the order in which they came. */
function contents(): string[] {
  const database = new Sqlite(scene.paths.database, { readonly: true });
  try {
    return database.prepare<[], string>('SELECT content FROM memories ORDER BY id').pluck().all();
  } finally {
    database.close();
  }
}

/** As `curl --unix-socket` asks. */
function get(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath: scene.paths.httpSocket, host: 'localhost', path, timeout: 10_000 }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(Buffer.concat(chunks).toString());
    })
      .on('error', reject)
      .end();
  });
}

/** Resolves with its pid once it answers no more. */
async function killTheDaemon(): Promise<number> {
  const pid = await scene.daemonPid();
  if (pid === null) throw new Error('there is no daemon to kill');
  sendSignal(pid, 'SIGKILL');
  while ((await scene.daemonPid()) === pid) await sleep(10);
  return pid;
}
