// The built `loci hook` as agents run it: with a daemon, without one, with one that hangs, and with whatever on stdin.

import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Home, homeIn, pidOf, startProcess, untilUp } from '../../support/daemon-process.ts';
import { sendSignal } from '../../support/send-signal.ts';
import { root } from '../../support/source-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { claudeLines, session1, writeLines } from '../../support/transcripts.ts';

type Run = { code: number | null; stdout: string; stderr: string; ms: number };
type RunOptions = { stdin?: string | Buffer | null; env?: NodeJS.ProcessEnv; args?: readonly string[]; cwd?: string };

const loci = join(root, 'dist', 'loci.cjs');
const events = ['session-start', 'user-prompt', 'post-tool-use', 'pre-compact', 'session-end'] as const;
/** A second by contract, and what a busy machine needs to start and to end a process. */
const wholeMs = 2_000;

/** `stdin: null` leaves the pipe open for ever, as an agent may. */
function hook(
  home: Home,
  event: string,
  { stdin = '', env = {}, args = [], cwd = '/' }: RunOptions = {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [loci, 'hook', event, ...args], {
      env: { ...home.env, LOCI_NO_AUTOSTART: '1', ...env },
      cwd,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => undefined);
    if (stdin !== null) child.stdin.end(stdin);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, ms: performance.now() - startedMs }));
  });
}

const fields = (more: object): string =>
  JSON.stringify({ session_id: 's-1', cwd: '/', permission_mode: 'default', ...more });
const promptFields = (prompt: string, more: object = {}) =>
  fields({ hook_event_name: 'UserPromptSubmit', prompt, ...more });

/** Input under which each event has something to do. */
function inputOf(event: string, folder: string): string {
  const transcript = writeLines(join(folder, 'session.jsonl'), claudeLines(session1));
  const memory = join(folder, '.claude', 'projects', '-srv-shop', 'memory', 'tea.md');
  mkdirSync(join(memory, '..'), { recursive: true });
  writeFileSync(memory, '---\nname: Tea\ntype: user\n---\nThe user drinks green tea.');
  return fields({
    hook_event_name: event,
    prompt: 'where do we keep sessions?',
    transcript_path: transcript,
    source: 'startup',
    reason: 'other',
    tool_name: 'Write',
    tool_input: { file_path: memory, content: 'x' },
  });
}

/** Silent towards the agent, one line towards a person, in time. */
function expectSilence(run: Run, where: string): void {
  expect({ where, code: run.code, stdout: run.stdout }).toEqual({ where, code: 0, stdout: '' });
  expect(run.stderr.split('\n').filter(Boolean).length, where).toBe(1);
  expect(run.ms, where).toBeLessThan(wholeMs);
}

async function daemonOf(home: Home): Promise<number> {
  startProcess(join(root, 'dist', 'locid.js'), home.env);
  return untilUp(home);
}

async function call<Answer = Record<string, unknown>>(home: Home, operation: string, input: object): Promise<Answer> {
  const { stdout } = await run([loci, 'call', operation, '--args', JSON.stringify(input), '--json'], home.env);
  return JSON.parse(stdout) as Answer;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args], { env }, (error, stdout, stderr) =>
      error === null ? resolve({ stdout, stderr }) : reject(new Error(`${error.message}\n${stderr}`)),
    );
  });
}

const contents = async (home: Home): Promise<string[]> => {
  const { memories } = await call<{ memories: { content: string }[] }>(home, 'get_recent_memories', { limit: 100 });
  return memories.map(({ content }) => content);
};

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 200 && !(await isSo()); turn += 1) await sleep(50);
  expect(await isSo()).toBe(true);
}

/** A server on the home's socket that accepts and never answers, or answers after a while. */
async function listenOn(home: Home, answerAfterMs: number | null): Promise<Server> {
  mkdirSync(home.paths.run, { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    socket.resume();
    socket.on('error', () => undefined);
    const body = '{"text":"too late","status":"ok"}';
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    if (answerAfterMs !== null) setTimeout(() => socket.end(head + body), answerAfterMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(home.paths.httpSocket, resolve));
  onTestFinished(() => void server.close());
  return server;
}

describe('B54 no hook blocks or fails an agent', () => {
  it('when there is no daemon; what would be saved waits for the next one', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    for (const event of events) expectSilence(await hook(home, event, { stdin: inputOf(event, folder) }), event);
    const spool = readdirSync(home.paths.spool);
    expect(spool).toHaveLength(2);
    expect(spool.map((name) => statSync(join(home.paths.spool, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(home.paths.spool).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(home.paths.spool, spool[0] as string), 'utf8')).not.toContain('green tea');

    await daemonOf(home);
    await until(async () => (await contents(home)).length === 5);
    expect(await contents(home)).toContain('The user drinks green tea.');
    expect(readdirSync(home.paths.spool)).toEqual([]);
  });

  it('when the socket is stale, when its listener hangs, and when it answers after 30 seconds', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    const server = await listenOn(home, null);
    for (const event of events) expectSilence(await hook(home, event, { stdin: inputOf(event, folder) }), event);
    await new Promise((resolve) => server.close(resolve));
    mkdirSync(home.paths.run, { recursive: true });
    writeFileSync(home.paths.httpSocket, '');
    expectSilence(
      await hook(home, 'user-prompt', { stdin: promptFields('where are the sessions kept') }),
      'no socket at all',
    );
    const slow = homeIn(tempFolder());
    await listenOn(slow, 30_000);
    for (const event of events) expectSilence(await hook(slow, event, { stdin: inputOf(event, slow.folder) }), event);
  });

  it('when the daemon is stopped in its tracks; what would be saved is saved when it goes on', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    const pid = await daemonOf(home);
    await call(home, 'memory_sync', {});
    sendSignal(pid, 'SIGSTOP');
    try {
      for (const event of events) expectSilence(await hook(home, event, { stdin: inputOf(event, folder) }), event);
    } finally {
      sendSignal(pid, 'SIGCONT');
    }
    await until(async () => (await contents(home)).length === 5);
  });

  it.each([
    ['no JSON', 'this is no JSON'],
    ['nothing', ''],
    ['a list', '[1,2]'],
    ['null', 'null'],
    [
      'fields of other types',
      '{"prompt": 7, "session_id": {"a": 1}, "cwd": ["x"], "tool_input": "x", "transcript_path": 5}',
    ],
    ['half a surrogate', '{"prompt": "where \\ud83d are sessions", "session_id": "s"}'],
    ['more than 5 MB', JSON.stringify({ prompt: 'x'.repeat(6 * 2 ** 20) })],
    ['bytes', Buffer.from([0, 255, 254, 10, 123])],
  ])('when stdin holds %s', async (_what, stdin) => {
    const home = homeIn(tempFolder());
    for (const event of events) {
      const { code, stdout, stderr, ms } = await hook(home, event, { stdin });
      expect({ event, code, stdout }).toEqual({ event, code: 0, stdout: '' });
      expect(stderr.split('\n').length).toBeLessThanOrEqual(2);
      expect(ms).toBeLessThan(wholeMs);
    }
  });

  it('when stdin is never closed, and when the event is none', async () => {
    const home = homeIn(tempFolder());
    expectSilence(await hook(home, 'user-prompt', { stdin: null }), 'open stdin');
    expectSilence(await hook(home, 'no-such-event'), 'unknown event');
    expectSilence(await hook(home, ''), 'no event');
  });

  it('when the folders cannot be written: the loss is said', async () => {
    const folder = tempFolder();
    const home = homeIn(join(folder, 'file'));
    writeFileSync(join(folder, 'file'), '');
    const lost = await hook(home, 'session-end', { stdin: inputOf('session-end', folder) });
    expectSilence(lost, 'session-end');
  });

  it('says nothing while it starts a daemon for the next prompt', async () => {
    const home = homeIn(tempFolder());
    const first = await hook(home, 'user-prompt', {
      stdin: promptFields('where are sessions kept?'),
      env: { LOCI_NO_AUTOSTART: '' },
    });
    expectSilence(first, 'first');
    expect(await untilUp(home)).toBeGreaterThan(0);
  });
});

describe('what agents are told', () => {
  it('each in its own words, once in a session, and never in a way that asks again', async () => {
    const home = homeIn(tempFolder());
    await daemonOf(home);
    await call(home, 'memory_save', {
      content: 'Sessions live in Redis because a stolen one must be revocable at once.',
      project: 'shop',
    });
    const prompt = 'Do sessions live in Redis because a stolen one must be revocable?';
    await call(home, 'memory_recall', { prompt }); // loads the model
    const patient = { LOCI_HOOKS_DEADLINE_MS: '900' };
    const told = async (more: object, args: readonly string[] = []) => {
      const { code, stdout, stderr } = await hook(home, 'user-prompt', {
        stdin: promptFields(prompt, more),
        args,
        env: patient,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout === '' ? null : (JSON.parse(stdout) as Record<string, unknown>);
    };
    const context = expect.stringMatching(
      /^<(loci-memory-[a-p]{12})>\n[\s\S]+\n\[1\] [\s\S]+\n\| Sessions live in Redis[^\n]+\n<\/\1>$/,
    );
    const hookSpecificOutput = (hookEventName: string) => ({
      hookSpecificOutput: { hookEventName, additionalContext: context },
    });
    expect(await told({ session_id: 'claude' })).toEqual(hookSpecificOutput('UserPromptSubmit'));
    expect(await told({ session_id: 'claude' })).toBeNull();
    expect(await told({ session_id: 'codex', turn_id: 't-1', model: 'm' })).toEqual(
      hookSpecificOutput('UserPromptSubmit'),
    );
    expect(await told({ session_id: 'gemini', hook_event_name: 'BeforeAgent' })).toEqual(
      hookSpecificOutput('BeforeAgent'),
    );
    expect(await told({ conversation_id: 'cursor', cursor_version: '3.2', session_id: undefined })).toEqual({
      continue: true,
      additional_context: context,
    });
    expect(await told({ session_id: 'windsurf' }, ['--agent', 'windsurf'])).toBeNull();
    expect(await told({ session_id: 'other', prompt: 'how long should a sourdough loaf be in the oven' })).toBeNull();
    expect(await told({ session_id: 'command', prompt: '/compact' })).toBeNull();
  });

  it('the session start tells of the project that the folder belongs to', async () => {
    const home = homeIn(tempFolder());
    await daemonOf(home);
    const project = join(tempFolder(), 'shop');
    mkdirSync(project);
    writeFileSync(join(project, '.loci.toml'), 'project = "shop"\n');
    await call(home, 'memory_save', { content: 'Sessions live in Redis.', project: 'shop', type: 'decision' });
    const start = (cwd: string) =>
      hook(home, 'session-start', {
        stdin: fields({ hook_event_name: 'SessionStart', source: 'startup', cwd }),
        env: { LOCI_HOOKS_DEADLINE_MS: '900' },
      });
    const { stdout } = await start(project);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('Sessions live in Redis.'),
      },
    });
    expect(await start('/')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('a session’s end is handed over in no time and swept behind the agent’s back', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    await daemonOf(home);
    await call(home, 'memory_sync', {});
    const ended = await hook(home, 'session-end', {
      stdin: inputOf('SessionEnd', folder),
      env: { LOCI_HOOKS_DEADLINE_MS: '900' },
    });
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await until(async () => (await contents(home)).length === 4);
    await hook(home, 'pre-compact', { stdin: inputOf('PreCompact', folder) });
    await sleep(300);
    expect(await contents(home)).toHaveLength(4);
  });
});

describe('B55 a hook below a hook', () => {
  it('does nothing, and the log shows it', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    const inner = await hook(home, 'session-end', { stdin: inputOf('SessionEnd', folder), env: { LOCI_IN_HOOK: '1' } });
    expectSilence(inner, 'inner');
    expect(existsSync(home.paths.spool)).toBe(false);
    const log = readFileSync(join(home.paths.log, '..', 'hooks.log'), 'utf8');
    expect(log).toContain('started by a hook');
    expect(statSync(join(home.paths.log, '..', 'hooks.log')).mode & 0o777).toBe(0o600);
  });

  it('is told by what a hook starts: the daemon bears the mark, so whatever it started would', async () => {
    const folder = tempFolder();
    const home = homeIn(folder);
    await hook(home, 'session-end', { stdin: inputOf('SessionEnd', folder), env: { LOCI_NO_AUTOSTART: '' } });
    const pid = await untilUp(home);
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain('LOCI_IN_HOOK=1');
    await until(async () => (await contents(home)).length === 4);
    expect(await pidOf(home)).toBe(pid);
  });
});

describe('B56 a path that a shell would tear apart', () => {
  it('is one word of the command, by `sh -c` and as a list of arguments', async () => {
    const folder = join(tempFolder(), `My Home $(touch pwned) 'q' "d" \`b\``);
    const program = join(folder, 'lib dir', 'loci.cjs');
    mkdirSync(join(folder, 'lib dir'), { recursive: true });
    copyFileSync(loci, program);
    const home = homeIn(folder);
    const { stdout } = await run([program, 'hook', '--print', 'claude-code'], home.env);
    const settings = JSON.parse(stdout) as {
      hooks: Record<string, { hooks: { command: string; args?: string[] }[] }[]>;
    };
    const commands = Object.values(settings.hooks).flatMap((groups) => groups.flatMap(({ hooks }) => hooks));
    expect(Object.keys(settings.hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
      'PreCompact',
      'SessionEnd',
    ]);
    for (const { command } of commands) {
      const ran = await shell(command, { ...home.env, LOCI_NO_AUTOSTART: '1' }, folder);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toMatch(/^(?:loci hook [a-z-]+: [^\n]+\n)?$/);
    }
    expect(readdirSync(folder).sort()).not.toContain('pwned');
  });
});

function shell(
  command: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { env, cwd });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdin.end(promptFields('where are sessions kept?'));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
