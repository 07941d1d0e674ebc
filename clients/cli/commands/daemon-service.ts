import { Command } from 'commander';
import { type EnsureDeps, ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import { installService, plannedFiles, uninstallService } from '#clients/service/install-service.ts';
import { type ServiceStatus, serviceStatus } from '#clients/service/service-status.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeBlock, escapeLine } from '../render/escape.ts';
import type { View } from '../render/style.ts';
import { pairs } from '../render/table.ts';
import type { Session } from '../session.ts';

type Flags = { readonly dryRun?: boolean };
type Run = (session: Session, daemon: EnsureDeps, deps: CommandDeps, flags: Flags) => Promise<void>;

/** `loci service install|uninstall|status`: the daemon under systemd or launchd. */
export function addServiceCommands(mount: Mount, deps: CommandDeps): void {
  const verbs: readonly [name: string, description: string, run: Run][] = [
    ['install', 'Start the daemon at login, by systemd or launchd; run again, it renews what is there.', install],
    ['uninstall', 'Stop the service and remove its files; clients start the daemon again as they need it.', uninstall],
    ['status', 'Say whether a service is installed, whether it runs and whether it still fits.', status],
  ];
  for (const [name, description, run] of verbs) {
    const command = addGlobalOptions(new Command(name).description(description));
    if (name === 'install') command.option('--dry-run', 'print the files and write none');
    command.action(async (flags: Flags) => {
      const session = deps.openSession(command);
      const wire = createWire();
      try {
        const daemon = { ...localDaemon(session.io.env, session.options), program: ownProgram(), wire };
        await run(session, daemon, deps, flags);
      } finally {
        wire.close();
      }
    });
    mount(`service ${name}`, command);
  }
}

async function install(session: Session, daemon: EnsureDeps, _deps: CommandDeps, { dryRun }: Flags): Promise<void> {
  if (dryRun === true) {
    const files = plannedFiles(daemon);
    session.print({ files }, () => ({
      result: files.map(({ path, content }) => `# ${escapeLine(path)}\n${escapeBlock(content)}`).join('\n'),
    }));
    return;
  }
  const files = await installService(daemon);
  const now = serviceStatus(daemon);
  session.print({ ...now, written: files.map(({ path }) => path) }, () => ({
    result: statusText(now, session.view()),
    notices: now.manager === 'systemd' ? ['It ends when you log out, unless you run `loginctl enable-linger`.'] : [],
  }));
}

async function uninstall(session: Session, daemon: EnsureDeps): Promise<void> {
  const removed = await uninstallService(daemon);
  session.print({ removed }, () => ({
    result: removed.length === 0 ? 'No service is installed.' : `Removed ${removed.map(escapeLine).join(' and ')}.`,
  }));
}

/** Exits 1 where something is to be mended, so that a script can ask. */
async function status(session: Session, daemon: EnsureDeps, deps: CommandDeps): Promise<void> {
  const now = serviceStatus(daemon);
  session.print(now, () => ({ result: statusText(now, session.view()) }));
  if (now.problems.length > 0) deps.setExitCode(exitUnexpected);
}

function statusText(now: ServiceStatus, view: View): string {
  if (!now.installed)
    return 'No service is installed; clients start the daemon as they need it. `loci service install` installs one.';
  const state =
    now.state === 'active' || now.state === 'running' ? view.style.green(now.state) : view.style.yellow(now.state);
  const rows = pairs(
    [
      ['service', `${now.manager}, ${state}`],
      ['at login', now.starts_at_login ? 'started' : 'not started'],
      ['file', escapeLine(now.file)],
      ['command', escapeLine(now.command.join(' '))],
    ],
    view,
  );
  const problems = now.problems.map(
    ({ problem, fix }) => `${view.style.red('!')} ${escapeLine(problem)} Run \`${fix}\`.`,
  );
  return [rows, ...problems].join('\n');
}
