// Starts an agent's server as the agent would and asks it what an agent asks first. The environment is the poorest that agents give: no
// PATH of a shell, nothing inherited but who and where the person is, and what the entry itself names.
import { spawn } from 'node:child_process';

export type ServerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

export type ServerAnswer =
  | { readonly kind: 'tools'; readonly count: number; readonly tookMs: number }
  /** It runs and waits for a daemon. */
  | { readonly kind: 'waits' }
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string };

/** Codex gives a server this long; others give more. */
const timeoutMs = 10_000;
/** A command that cannot run has ended by then. */
const livesMs = 1_500;

/** What agents hand down without being told to. */
export function poorEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOME, USER, LOGNAME, LANG, TMPDIR } = env;
  return { HOME, USER, LOGNAME, LANG, TMPDIR, PATH: '/usr/bin:/bin' };
}

/** Resolves when the server has listed its tools, has refused, or has failed; it is ended in any case. Without a daemon none is started: that the command lives is all there is to learn. */
export function startServer(server: ServerCommand, env: NodeJS.ProcessEnv, hasDaemon: boolean): Promise<ServerAnswer> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(server.command, server.args, {
      env: { ...poorEnvironment(env), ...server.env, ...(hasDaemon ? {} : { LOCI_NO_AUTOSTART: '1' }) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    let rest = '';
    const timer = hasDaemon
      ? setTimeout(() => settle({ kind: 'failure', text: `no answer within ${timeoutMs / 1000} s` }), timeoutMs)
      : setTimeout(() => settle({ kind: 'waits' }), livesMs);
    const settle = (answer: ServerAnswer): void => {
      clearTimeout(timer);
      child.kill();
      resolve(answer);
    };
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const hear = (line: string): void => {
      const message = parse(line);
      if (message?.error !== undefined) settle({ kind: 'refusal', text: String(message.error.message) });
      if (message?.id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      }
      if (message?.id !== 2) return;
      const count = message.result?.tools?.length ?? 0;
      settle({ kind: 'tools', count, tookMs: Math.round(performance.now() - startedMs) });
    };
    child.on('error', (error: NodeJS.ErrnoException) => settle({ kind: 'failure', text: startProblem(error, server) }));
    child.on('close', (code) => settle({ kind: 'failure', text: endProblem(code, stderr) }));
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, 4_000);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) hear(line);
    });
    send({ id: 1, method: 'initialize', params: hello });
  });
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'loci-doctor', version: '1' },
};

type Message = {
  readonly id?: unknown;
  readonly error?: { readonly message?: unknown };
  readonly result?: { readonly tools?: readonly unknown[] };
};

function parse(line: string): Message | null {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return null;
  }
}

function startProblem({ code }: NodeJS.ErrnoException, { command }: ServerCommand): string {
  if (code === 'ENOENT') return `${command} is not there, or not on the PATH that agents have`;
  return `${command} cannot be run (${code ?? 'unknown error'})`;
}

/** The last line that is a sentence: of a crash of Node the one with the error, not the stack. */
function endProblem(code: number | null, stderr: string): string {
  const line =
    /^\w*Error: .+$|^error: .+$|^.*(?:not found|No such file).*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n')[0];
  return `it ended with code ${code ?? 'none'}${line === '' || line === undefined ? '' : `: ${line.slice(0, 200)}`}`;
}
