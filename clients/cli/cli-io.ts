import type { Readable, Writable } from 'node:stream';

/** Everything of the process that the command line touches, so that tests run it with streams of their own. */
export type CliIo = {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly nowMs: () => number;
};

/** True where a person can be asked: both the question and the answer go through a terminal. */
export function isInteractive(io: CliIo): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}
