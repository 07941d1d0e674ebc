// `loci migrate-storage`: the work is a program's of the daemon, which alone knows how a store lies; this one starts it and tells the outcome.
import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { daemonNodeFlags } from '#clients/connect/spawn-daemon.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

type Moved = { readonly rows: number; readonly kept: boolean };

export function addMigrateStorageCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('migrate-storage')
      .summary("move everything into a team's database, or back")
      .description(
        'Copy the whole store of this machine, ids and history included, into the empty database that `storage.url` names; with --back from there into a new file. Stop the daemons first. All or nothing: what was copied is compared before it is kept.',
      )
      .option('--back', 'from the database into a new file of this machine')
      .option('--dry-run', 'do all of it, and keep nothing'),
  );
  command.action(async (flags: { back?: boolean; dryRun?: boolean }) => {
    const session = deps.openSession(command);
    const { env } = localDaemon(session.io.env, session.options);
    const way = ['--move-store', flags.back === true ? 'from-team' : 'to-team'];
    const { code, stdout } = await runProgram([...way, ...(flags.dryRun === true ? ['--dry-run'] : [])], env);
    if (code !== 0) {
      deps.setExitCode(code ?? exitUnexpected); // the program has said why
      return;
    }
    const moved = JSON.parse(stdout) as Moved;
    session.print(moved, () => ({
      result: moved.kept
        ? `Moved ${moved.rows} rows, and compared them. The source is as it was.`
        : `${moved.rows} rows would be moved; nothing was kept.`,
    }));
  });
  mount('migrate-storage', command);
}

function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const program = spawn(process.execPath, [...daemonNodeFlags, ownProgram(), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    let stdout = '';
    program.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    program.on('error', () => reject(new LociError('internal', 'The daemon cannot be run: reinstall Loci.')));
    program.on('close', (code) => resolve({ code, stdout }));
  });
}
