import { CommanderError } from 'commander';
import { LociError } from '#shared/errors.ts';
import { Interrupted } from './confirm.ts';
import { exitBadInput, exitCodeOf, exitInterrupted, exitOk } from './exit-codes.ts';
import { globalOptionsOf } from './global-options.ts';
import { buildProgram } from './program.ts';
import { createSession, type Session, type SessionDeps } from './session.ts';

/** Runs one command line and answers the exit code. Every error ends here as one sentence on stderr; nothing is thrown. */
export async function runCli(args: readonly string[], deps: SessionDeps): Promise<number> {
  const { io } = deps;
  const sessions: Session[] = [];
  let exitCode = exitOk;
  const program = buildProgram({
    openSession: (command) => {
      const session = createSession(deps, globalOptionsOf(command));
      sessions.push(session);
      return session;
    },
    setExitCode: (code) => {
      exitCode = code;
    },
    output: {
      out: (text) => io.stdout.write(text),
      err: (text) => io.stderr.write(text),
      columns: Math.min(io.stdout.columns || 100, 120),
    },
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    exitCode = explain(error, sessions[0] ?? createSession(deps, {}));
  }
  await Promise.all(sessions.map((session) => session.close()));
  return exitCode;
}

const usageHints: Readonly<Record<string, string>> = {
  'commander.excessArguments': 'A text of several words goes in quotes.',
  'commander.unknownCommand': '`loci --help` lists the commands.',
  'commander.unknownOption': 'A text that begins with a dash goes after `--`, or as --flag=value.',
};

function explain(error: unknown, session: Session): number {
  if (error instanceof Interrupted) {
    session.notice('Nothing was changed.');
    return exitInterrupted;
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitOk; // --help and --version end a run too
    const hint = usageHints[error.code];
    if (hint !== undefined) session.notice(hint);
    return exitBadInput;
  }
  const known = error instanceof LociError ? error : unexpected(error);
  session.fail(known);
  return exitCodeOf(known);
}

/** A fault of this program. Its own text is all there is to report it by, so that is shown; a stack is not. */
function unexpected(error: unknown): LociError {
  const text = error instanceof Error ? error.message : String(error);
  return new LociError('internal', `loci itself failed: ${text}`);
}
