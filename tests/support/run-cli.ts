import { PassThrough, Readable, Writable } from 'node:stream';
import { runCli } from '#clients/cli/run-cli.ts';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import type { ProgramOptions } from './run-program.ts';

export type CliRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type CliCall = { readonly operation: string; readonly input: Readonly<Record<string, unknown>> };

export type CliRunOptions = {
  readonly stdin?: string | Buffer;
  /** What a person types: makes stdin and stderr a terminal. */
  readonly typed?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly nowMs?: number;
  /** Answers a call; by default with an empty object. */
  readonly answer?: (operation: string, input: Readonly<Record<string, unknown>>) => unknown;
  readonly text?: string;
  /** Gets what it has said so far on stderr, each time it says more. */
  readonly onStderr?: (text: string) => void;
};

/** Runs a command line inside this process against a daemon that is a function. `columns` makes stdout a terminal. */
export async function runCliHere(
  args: readonly string[],
  options: CliRunOptions = {},
): Promise<CliRun & { readonly calls: readonly CliCall[] }> {
  const calls: CliCall[] = [];
  const stdout = collector();
  const stderr = collector(options.onStderr);
  const connection: Connection = {
    async call(operation, input) {
      calls.push({ operation, input });
      return options.answer === undefined ? {} : options.answer(operation, input);
    },
    openStream: () => Promise.reject(new Error('no stream in this test')),
    putBytes: () => Promise.reject(new Error('no upload in this test')),
    getText: async () => options.text ?? '',
    close: async () => undefined,
  };
  const stdin = stdinOf(options);
  const code = await runCli(args, {
    io: {
      stdin,
      stdout:
        options.columns === undefined
          ? stdout.stream
          : Object.assign(stdout.stream, { isTTY: true, columns: options.columns }),
      stderr: options.typed === undefined ? stderr.stream : Object.assign(stderr.stream, { isTTY: true, columns: 80 }),
      env: options.env ?? {},
      nowMs: () => options.nowMs ?? Date.UTC(2026, 0, 5, 9),
    },
    connect: async () => connection,
  });
  stdin.destroy();
  return { code, stdout: stdout.text(), stderr: stderr.text(), calls };
}

/** Runs a command line inside this process against the daemon of a home, as the process would: a start costs half a second of CPU. */
export async function runCliAgainstDaemon(args: readonly string[], options: ProgramOptions): Promise<CliRun> {
  const stdout = collector();
  const stderr = collector(options.onStderr);
  const env = options.env ?? {};
  const code = await runCli(args, {
    io: {
      stdin: Readable.from([Buffer.from(options.stdin ?? '')]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env,
      nowMs: () => Date.now(),
    },
    connect: async (given, notice) => {
      const here = localDaemon(env, given);
      return createConnection({
        ...here,
        program: '',
        server: null,
        folder: options.cwd ?? null,
        agent: 'loci-cli',
        notice,
      });
    },
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(onText?: (text: string) => void): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      onText?.(Buffer.concat(chunks).toString('utf8'));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/** Keys are typed until the command has ended, since a prompt listens only from some moment on. */
function stdinOf({ stdin, typed }: CliRunOptions): Readable {
  if (stdin !== undefined) return Readable.from([Buffer.from(stdin)]);
  const stream = new PassThrough();
  if (typed === undefined) return stream;
  const timer = setInterval(() => stream.write(typed), 50);
  stream.on('close', () => clearInterval(timer));
  return Object.assign(stream, { isTTY: true, setRawMode: () => stream });
}
