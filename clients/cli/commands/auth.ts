// Logging in to a daemon elsewhere. With a token at hand it is tried and kept; without one, this program makes one itself, and the owner
// of the other daemon makes it valid by the code that is shown here, so that no secret has to be carried from one screen to the other.
import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon, type RemoteServer, remoteServer } from '#clients/connect/local-daemon.ts';
import { dropLogin, normaliseServer, savedServers, saveLogin } from '#clients/connect/saved-logins.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { exitUnexpected } from '../exit-codes.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeLine } from '../render/escape.ts';
import type { Session } from '../session.ts';

const pollEveryMs = 2_000;

export function addAuthCommands(mount: Mount, deps: CommandDeps): void {
  const login = addGlobalOptions(
    new Command('login')
      .summary('log in to a daemon elsewhere')
      .description(
        'Keep a token for a daemon elsewhere. With --token or LOCI_TOKEN that one is tried and kept; with `--with-token` it is read from stdin; else a code is shown that the owner of that daemon approves.',
      )
      .addOption(new Option('--with-token', 'read the token from stdin'))
      .addOption(new Option('--wait-s <n>', 'how long to wait for the approval').default(600).argParser(readSeconds)),
  );
  login.action(async () => {
    const session = deps.openSession(login);
    const server = serverOf(session);
    const { withToken, waitS } = login.opts<{ withToken?: boolean; waitS: number }>();
    const given =
      withToken === true ? (await session.stdinText()).trim() : session.options.token || session.io.env.LOCI_TOKEN;
    const token = given || (await approvedToken(session, server, waitS));
    const user = await userBehind(session, { url: server, token });
    saveLogin(pathsOf(session), server, { token, saved_at: new Date(session.io.nowMs()).toISOString() });
    session.print({ server, user }, () => ({ result: `logged in to ${server} as ${escapeLine(user)}` }));
  });
  mount('auth login', login);

  const status = addGlobalOptions(
    new Command('status')
      .summary('who one is to a daemon elsewhere')
      .description(
        'Say who one is to a daemon elsewhere, and where the token comes from. Exits with 1 when not logged in.',
      ),
  );
  status.action(async () => {
    const session = deps.openSession(status);
    const target = session.options.server ?? session.io.env.LOCI_SERVER;
    if (!target) {
      const servers = savedServers(pathsOf(session));
      return session.print({ servers }, () => ({ result: servers.join('\n') || 'not logged in anywhere' }));
    }
    const { url, token, from } = remoteOf(session);
    const found = token === null ? null : await userBehind(session, { url, token }).catch(notLoggedIn);
    if (found === null) deps.setExitCode(exitUnexpected);
    session.print({ server: url, logged_in: found !== null, user: found, token_from: from }, () => ({
      result:
        found === null ? `not logged in to ${url}` : `logged in to ${url} as ${escapeLine(found)} (token from ${from})`,
    }));
  });
  mount('auth status', status);

  const logout = addGlobalOptions(
    new Command('logout')
      .summary('forget the token of a daemon elsewhere')
      .description(
        'Forget the token that `loci auth login` kept. Its owner ends it for good by `loci token revoke` there.',
      )
      .addOption(new Option('--yes', 'do not ask').hideHelp()),
  );
  logout.action(() => {
    const session = deps.openSession(logout);
    const server = serverOf(session);
    const loggedOut = dropLogin(pathsOf(session), server);
    session.print({ server, logged_out: loggedOut }, () => ({
      result: loggedOut ? `logged out of ${server}` : `was not logged in to ${server}`,
    }));
  });
  mount('auth logout', logout);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new LociError('invalid_input', '--wait-s must be a number of seconds.');
}

function pathsOf(session: Session) {
  return localDaemon(session.io.env, session.options).paths;
}

function serverOf({ options, io }: Session): string {
  const given = options.server ?? io.env.LOCI_SERVER;
  if (given) return normaliseServer(given);
  throw new LociError('invalid_input', 'Say which daemon: --server https://host:port, or LOCI_SERVER.');
}

function remoteOf(session: Session): RemoteServer {
  const remote = remoteServer(localDaemon(session.io.env, session.options), session.options);
  if (remote === null)
    throw new LociError('invalid_input', 'Say which daemon: --server https://host:port, or LOCI_SERVER.');
  return remote;
}

async function userBehind(session: Session, server: { url: string; token: string }): Promise<string> {
  return within(session, server, {}, async (connection) => {
    const { name } = (await connection.call('get_current_user', {})) as { name: string };
    return name;
  });
}

/** A token that does not hold is an answer here; a daemon that does not answer is none. */
function notLoggedIn(error: unknown): null {
  if (error instanceof LociError && error.code === 'unauthorized') return null;
  throw error;
}

/** Makes a token and asks until the owner has approved it. Throws `unauthorized` when that takes too long. */
async function approvedToken(session: Session, server: string, waitS: number): Promise<string> {
  const token = `loci_${randomBytes(32).toString('base64url')}`;
  const endMs = Date.now() + waitS * 1000;
  let shown: unknown = null;
  for (;;) {
    const code = await within(session, { url: server, token }, { 'loci-login': 'loci-cli' }, async (connection) => {
      try {
        await connection.call('get_current_user', {});
        return null;
      } catch (error) {
        if (error instanceof LociError && typeof error.details.login_code === 'string') return error.details.login_code;
        throw error;
      }
    });
    if (code === null) return token;
    if (code !== shown)
      session.io.stderr.write(`On the machine of ${server}, run: loci auth approve ${escapeLine(code)}\n`);
    shown = code;
    if (Date.now() + pollEveryMs > endMs)
      throw new LociError('unauthorized', 'Nobody approved the login in time: begin it again.');
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}

async function within<T>(
  session: Session,
  server: { readonly url: string; readonly token: string },
  headers: Readonly<Record<string, string>>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const here = localDaemon(session.io.env, session.options);
  const connection = createConnection({
    ...here,
    program: ownProgram(),
    server,
    folder: null,
    agent: 'loci-cli',
    headers,
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
