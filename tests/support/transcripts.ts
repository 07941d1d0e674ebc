// Transcripts as the five agents write them, line for line as real ones have been seen (Claude Code 2.1, Codex 0.171, Gemini CLI 0.61,
// OpenCode 1.18), so that a reader that takes these takes theirs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';

export type Said = { readonly role: 'user' | 'assistant'; readonly text: string };

export const user = (text: string): Said => ({ role: 'user', text });
export const assistant = (text: string): Said => ({ role: 'assistant', text });

const session = '05d5fb8e-92b2-4897-99fa-898a1c3799ee';
const at = (index: number): string => new Date(Date.UTC(2026, 0, 4, 12, 0, index)).toISOString();

/** Lines of `~/.claude/projects/<folder>/<session>.jsonl`. */
export function claudeLines(said: readonly Said[], more: Readonly<Record<string, unknown>> = {}): string[] {
  return said.map(({ role, text }, index) =>
    JSON.stringify({
      parentUuid: index === 0 ? null : `uuid-${index - 1}`,
      isSidechain: false,
      type: role,
      message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
      uuid: `uuid-${index}`,
      timestamp: at(index),
      cwd: '/srv/shop',
      sessionId: session,
      version: '2.1.197',
      gitBranch: 'main',
      ...more,
    }),
  );
}

/** A line with the result of a tool, which nobody said. */
export function claudeToolResult(content: string): string {
  return JSON.stringify({
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: [{ tool_use_id: 'toolu_1', type: 'tool_result', content }] },
    uuid: 'uuid-tool',
    timestamp: at(0),
    toolUseResult: content,
    cwd: '/srv/shop',
    sessionId: session,
  });
}

/** Lines of `$CODEX_HOME/sessions/Y/M/D/rollout-….jsonl`. */
export function codexLines(said: readonly Said[]): string[] {
  const line = (index: number, type: string, payload: object): string =>
    JSON.stringify({ timestamp: at(index), ordinal: index, type, payload });
  const environment = '<environment_context>\n  <cwd>/srv/shop</cwd>\n</environment_context>';
  return [
    line(0, 'session_meta', {
      id: session,
      cwd: '/srv/shop',
      originator: 'codex_exec',
      base_instructions: 'We decided to x.',
    }),
    line(1, 'response_item', {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: environment }],
    }),
    ...said.flatMap(({ role, text }, index) => [
      line(index + 2, 'response_item', {
        type: 'message',
        id: `msg-${index}`,
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
      }),
      line(index + 2, 'event_msg', {
        type: 'item_completed',
        item: { type: role === 'user' ? 'UserMessage' : 'AgentMessage', content: [{ type: 'text', text }] },
      }),
    ]),
  ];
}

/** Lines of `~/.gemini/tmp/<project>/chats/session-….jsonl`: answers are written twice, as they grow. */
export function geminiLines(said: readonly Said[]): string[] {
  const contextText = '<session_context>\nThis is the Gemini CLI. We decided to show the folder.\n</session_context>';
  return [
    JSON.stringify({
      sessionId: session,
      projectHash: 'f'.repeat(64),
      startTime: at(0),
      lastUpdated: at(0),
      kind: 'main',
    }),
    JSON.stringify({
      $set: { messages: [{ id: 'ctx', timestamp: at(0), type: 'user', content: [{ text: contextText }] }] },
    }),
    ...said.flatMap(({ role, text }, index) => {
      const message = { id: `m-${index}`, timestamp: at(index), type: role === 'user' ? 'user' : 'gemini' };
      const written = JSON.stringify({ ...message, content: role === 'user' ? [{ text }] : text });
      const patch = JSON.stringify({ $set: { lastUpdated: at(index) } });
      return role === 'user' ? [written, patch] : [written, patch, written];
    }),
  ];
}

/** Lines of `~/.copilot/session-state/<session>/events.jsonl`: the prompt is there twice, and what a skill or a sub-agent was told as well. */
export function copilotLines(said: readonly Said[]): string[] {
  const line = (index: number, type: string, data: object, rest: object = {}) =>
    JSON.stringify({ type, data, id: `e-${type}-${index}`, timestamp: at(index), parentId: null, ...rest });
  const context = { cwd: '/srv/shop', gitRoot: '/srv/shop', branch: 'main' };
  return [
    line(0, 'session.start', { sessionId: session, version: 1, producer: 'copilot-agent', startTime: at(0), context }),
    line(0, 'user.message', { content: 'From now on we use Go for everything.', source: 'skill-go' }),
    ...said.flatMap(({ role, text }, index) => {
      if (role === 'user') {
        return [line(index + 1, 'user.message', { content: text, transformedContent: `<now>${at(0)}</now> ${text}` })];
      }
      const turn = [line(index + 1, 'assistant.turn_start', { turnId: String(index) })];
      const call = { toolCallId: `t-${index}`, name: 'view', arguments: { path: 'a.ts' } };
      return [
        ...turn,
        line(index + 1, 'assistant.message', { messageId: `m-${index}`, content: text, toolRequests: [call] }),
        line(index + 1, 'tool.execution_complete', {
          toolCallId: `t-${index}`,
          success: true,
          result: { content: 'We decided to rewrite it all in Rust.' },
        }),
      ];
    }),
  ];
}

/** A database as OpenCode keeps it, with one session, `ses_1`. */
export function writeOpenCode(file: string, said: readonly Said[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec(`
    CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
    CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
    INSERT OR REPLACE INTO session VALUES ('ses_1', NULL, '/srv/shop', 1);`);
  for (const [index, { role, text }] of said.entries()) {
    const id = `msg_${String(index).padStart(4, '0')}`;
    const head = JSON.stringify({ role, time: { created: index } });
    db.prepare('INSERT OR IGNORE INTO message VALUES (?, ?, ?, ?)').run(id, 'ses_1', Date.parse(at(index)), head);
    const part = db.prepare('INSERT OR IGNORE INTO part VALUES (?, ?, ?, ?)');
    part.run(`prt_${index}_0`, id, 'ses_1', JSON.stringify({ type: 'step-start', snapshot: 'x' }));
    part.run(`prt_${index}_1`, id, 'ses_1', JSON.stringify({ type: 'text', text }));
    part.run(
      `prt_${index}_2`,
      id,
      'ses_1',
      JSON.stringify({ type: 'tool', state: { output: 'We decided nothing here.' } }),
    );
  }
  db.close();
}

/** Writes lines to a file, each ended unless `open` leaves the last one without a line break. */
export function writeLines(file: string, lines: readonly string[], { open = false }: { open?: boolean } = {}): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}${open ? '' : '\n'}`);
  return file;
}

/** A session with one of each that is worth keeping, among much that is not. */
export const session1: readonly Said[] = [
  user('Can you look at why the checkout test is flaky?'),
  assistant("I'll look at the checkout test first. Let me run it a few times."),
  assistant(
    'The root cause of the flaky checkout test is a race between the cart webhook and the payment callback; it was fixed by waiting for the order event.',
  ),
  user('Great, thanks. From now on we use Vitest instead of Jest for all new packages, because Jest cannot load ESM.'),
  assistant('Understood. All tests pass now.'),
  user('I prefer single quotes and two spaces in TypeScript files.'),
  assistant('The staging database runs on port 5433 behind the bastion host `db-gate`.'),
  user('ok, commit it'),
];
