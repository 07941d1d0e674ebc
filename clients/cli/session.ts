// One run of one command: the streams, the flags, the connection (opened at the first call), and the one rule of output:
// the result goes to stdout, whatever else there is to say goes to stderr.
import type { Connection } from '#clients/connect/connection.ts';
import { LociError } from '#shared/errors.ts';
import type { CliIo } from './cli-io.ts';
import type { GlobalOptions } from './global-options.ts';
import { readInput } from './read-input.ts';
import { escapeBlock, escapeJson } from './render/escape.ts';
import type { Rendered } from './render/rendered.ts';
import { createStyle, type View, wantsColour } from './render/style.ts';

export type SessionDeps = {
  readonly io: CliIo;
  /** Opens a connection without calling anything; a `notice` is a sentence about the connection for stderr. */
  readonly connect: (options: GlobalOptions, notice: (sentence: string) => void) => Promise<Connection>;
};

export type Session = {
  readonly io: CliIo;
  readonly options: GlobalOptions;
  readonly connection: () => Promise<Connection>;
  /** stdin as text; a second value that asks for it is refused. */
  readonly stdinText: () => Promise<string>;
  readonly view: (input?: Readonly<Record<string, unknown>>) => View;
  /** Prints a JSON document with `--json`, else what `render` makes of it. */
  readonly print: (output: unknown, render: () => Rendered) => void;
  readonly notice: (text: string) => void;
  readonly fail: (error: LociError) => void;
  /** Lets go of the connection, if there is one. */
  readonly close: () => Promise<void>;
};

export function createSession(deps: SessionDeps, options: GlobalOptions): Session {
  const { io } = deps;
  const style = createStyle(wantsColour(io.stdout, io.env, options.color));
  let connection: Promise<Connection> | undefined;
  let isStdinTaken = false;

  const notice = (text: string): void => {
    if (options.quiet !== true) io.stderr.write(`${escapeBlock(text)}\n`);
  };
  return {
    io,
    options,
    connection: () => {
      connection ??= deps.connect(options, notice);
      return connection;
    },
    stdinText: () => {
      if (isStdinTaken) throw new LociError('invalid_input', 'Only one value can be `-`: stdin is read once.');
      isStdinTaken = true;
      return readInput(io.stdin);
    },
    view: (input = {}) => ({ style, columns: columnsOf(io), nowMs: io.nowMs(), input }),
    print: (output, render) => {
      if (options.json === true) {
        io.stdout.write(`${escapeJson(JSON.stringify(output, null, io.stdout.isTTY === true ? 2 : undefined))}\n`);
        return;
      }
      const { result, notices = [] } = render();
      if (result !== '') io.stdout.write(`${result}\n`);
      for (const text of notices) notice(text);
    },
    notice,
    fail: (error) => {
      io.stderr.write(`error: ${escapeBlock(error.message)}\n`);
    },
    close: async () => {
      const opened = await connection?.catch(() => undefined);
      await opened?.close();
    },
  };
}

function columnsOf(io: CliIo): number | null {
  return io.stdout.isTTY === true ? io.stdout.columns || 80 : null;
}
