// start, stop, restart, status: about the process, not about memories, so they look at the daemon of this machine whatever LOCI_SERVER says.
import { Command } from 'commander';
import {
  type DaemonStatus,
  daemonStatus,
  restartDaemon,
  startDaemon,
  stopDaemon,
} from '#clients/connect/daemon-verbs.ts';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnreachable } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { ageOf } from '../render/age.ts';
import { escapeLine } from '../render/escape.ts';
import { backupsText } from '../render/overview.ts';
import type { Rendered } from '../render/rendered.ts';
import type { View } from '../render/style.ts';
import { pairs } from '../render/table.ts';
import type { Session } from '../session.ts';

type Process = Parameters<typeof daemonStatus>[0];

export function addDaemonCommands(mount: Mount, deps: CommandDeps): void {
  const verbs: readonly [name: string, summary: string, run: (session: Session, process: Process) => Promise<void>][] =
    [
      ['start', 'start the daemon; from now on clients start it too', start],
      ['stop', 'stop it, and keep it stopped until `loci start`', stop],
      ['restart', 'stop it and start it again', restart],
      ['status', 'does it run; never starts it', async (session, process) => status(session, process, deps)],
    ];
  for (const [name, summary, run] of verbs) {
    const command = addGlobalOptions(new Command(name).summary(summary).description(sentence(summary)));
    if (name === 'start') command.alias('api');
    command.action(async () => {
      const session = deps.openSession(command);
      const wire = createWire();
      try {
        await run(session, { ...localDaemon(session.io.env, session.options), program: ownProgram(), wire });
      } finally {
        wire.close();
      }
    });
    mount(name, command);
  }
}

async function start(session: Session, process: Process): Promise<void> {
  const { wasRunning, status: now } = await startDaemon(process);
  const notices = wasRunning ? ['It was running already.'] : [];
  session.print(now, () => ({ ...statusText(now, session.view()), notices }));
}

async function stop(session: Session, process: Process): Promise<void> {
  const { wasRunning } = await stopDaemon(process);
  session.print({ running: false, was_running: wasRunning }, () => ({
    result: wasRunning ? 'The daemon has stopped.' : 'No daemon was running.',
    notices: ['Nothing starts it now but `loci start`.'],
  }));
}

async function restart(session: Session, process: Process): Promise<void> {
  const { status: now } = await restartDaemon(process);
  session.print(now, () => statusText(now, session.view()));
}

/** Exits 5 where nothing runs, so that a script can ask. */
async function status(session: Session, process: Process, deps: CommandDeps): Promise<void> {
  const now = await daemonStatus(process);
  session.print(now, () => statusText(now, session.view()));
  if (!now.running) deps.setExitCode(exitUnreachable);
}

function statusText(now: DaemonStatus, view: View): Rendered {
  if (!now.running) {
    return {
      result: 'The daemon does not run.',
      notices: [
        now.stopped ? '`loci stop` stopped it; `loci start` starts it.' : 'The first command that needs it starts it.',
      ],
    };
  }
  const health = now.health === 'ok' ? view.style.green(now.health) : view.style.yellow(escapeLine(now.health));
  return {
    result: pairs(
      [
        ['daemon', `running, ${health}`],
        ['version', escapeLine(now.version)],
        ['process', `${now.pid}, since ${now.started_at} (${ageOf(now.started_at, view.nowMs)})`],
        ['socket', escapeLine(now.socket)],
        ['port', now.port === null ? 'none' : String(now.port)],
        ...(now.backups === null ? [] : [['backups', backupsText(now.backups, view)] satisfies [string, string]]),
      ],
      view,
    ),
  };
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
