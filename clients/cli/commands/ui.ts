// `loci ui`: opens the page, with an address that works once. It is printed as well, for a browser that cannot be started from here.
import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { openPage } from '#shared/contract/page.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeLine } from '../render/escape.ts';

export function addUiCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('ui')
      .summary('open the page: see, search and mend what is remembered')
      .description(
        'Open the page of this daemon in your browser. The address works once and for a minute; the browser then keeps a session. Without a terminal, or with `--print`, the address is only printed.',
      )
      .option('--print', 'only print the address'),
  );
  command.action(async (flags: { print?: boolean }) => {
    const session = deps.openSession(command);
    const opened = (await (await session.connection()).call(openPage.name, {})) as { url: string };
    const started = flags.print !== true && session.io.stdout.isTTY === true && (await startBrowser(opened.url));
    session.print(opened, () => ({
      result: escapeLine(opened.url),
      notices: [started ? 'Your browser opens it.' : 'Open it in a browser within a minute; it works once.'],
    }));
  });
  mount('ui', command);
}

/** Hands an address to the desktop. Whether a program for that could be started. */
function startBrowser(url: string): Promise<boolean> {
  const [program, ...args] = process.platform === 'darwin' ? ['open', url] : ['xdg-open', url];
  return new Promise((resolve) => {
    const child = spawn(program ?? '', args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
