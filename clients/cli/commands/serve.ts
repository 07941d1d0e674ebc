import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { allocatorEnvironment, daemonNodeFlags } from '#clients/connect/spawn-daemon.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

/** `loci serve`: the daemon in the foreground, for containers and for looking on; ends as it ends. */
export function addServeCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('serve')
      .summary('run it in the foreground')
      .description('Run the daemon in the foreground until it is interrupted; its log goes where it always goes.'),
  );
  command.action(async () => {
    const session = deps.openSession(command);
    const { env } = localDaemon(session.io.env, session.options);
    deps.setExitCode(await runInForeground({ ...allocatorEnvironment, ...env }));
  });
  mount('serve', command);
}

function runInForeground(env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const daemon = spawn(process.execPath, [...daemonNodeFlags, ownProgram()], { stdio: 'inherit', env });
    // this process only passes signals on and waits: the daemon decides when it has finished
    process.removeAllListeners('SIGINT');
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, () => daemon.kill(signal));
    daemon.on('error', () => reject(new LociError('internal', 'The daemon cannot be run: reinstall Loci.')));
    daemon.on('exit', (code) => resolve(code ?? exitUnexpected));
  });
}
