// The process around the command line: streams, signals, exit code. `loci --version` is answered without loading the rest,
// because scripts and agents ask it often.
import { version } from '#shared/version.ts';
import type { CliIo } from './cli-io.ts';
import { exitInterrupted } from './exit-codes.ts';
import { endInterrupted } from './interrupt.ts';

const args = process.argv.slice(2);

// the reader of a pipe (`| head`) has gone: what is left to print interests nobody, and that is no failure
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
}
process.on('SIGINT', () => void endInterrupted(3_000).finally(() => process.exit(exitInterrupted)));

if (args.length === 1 && args[0] === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  const io: CliIo = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    nowMs: () => Date.now(),
  };
  const { runCli } = await import('./run-cli.ts');
  const code = await runCli(args, {
    io,
    connect: async (options, notice) =>
      (await import('./daemon-connection.ts')).connectDaemon(process.env, options, notice),
  });
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

/** Resolves when all that was written has left the process: a pipe takes it in parts. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
