import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { LociError } from '#shared/errors.ts';
import { resolvePaths } from '#shared/paths.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import type { Session } from '../session.ts';

/** `loci token show`: the bearer token of TCP, read from its file, so that it works while the daemon is down. */
export function addTokenCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('show')
      .summary('print the token for 127.0.0.1')
      .description('Print the bearer token that the daemon asks for over TCP. Over its Unix socket it asks for none.'),
  );
  command.action(() => {
    const session = deps.openSession(command);
    const token = readToken(session);
    session.print({ token }, () => ({ result: token }));
  });
  mount('token show', command);
}

function readToken(session: Session): string {
  try {
    const token = readFileSync(resolvePaths(session.io.env, session.options).token, 'utf8').trim();
    if (token !== '') return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new LociError('internal', 'The token file cannot be read: check who owns the configuration folder.');
    }
  }
  throw new LociError('not_found', 'There is no token yet: `loci start` creates one.');
}
