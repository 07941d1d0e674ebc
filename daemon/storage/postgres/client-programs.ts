// PostgreSQL's own programs, which alone read and write its dumps. They come in versions: an older one refuses a newer server, so the one of
// the server's major version is taken, or the next newer. No password is ever on a command line, where every user of the machine could
// read it: it goes to the child in its environment.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { LociError } from '#shared/errors.ts';

export type ProgramName = 'pg_dump' | 'pg_restore' | 'psql';

export type ClientPrograms = { readonly major: number; readonly path: (name: ProgramName) => string };

/** Where packages put the programs of each version. */
const versionedFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr'];
const folderOfVersion = /^(?:postgresql@|pgsql-)?(\d+)$/;

/** The programs for a server of that major version. Throws `unavailable`, with what to install, where there are none. */
export async function findPrograms(serverMajor: number, env: NodeJS.ProcessEnv): Promise<ClientPrograms> {
  const found = (await installedPrograms(env)).filter(({ major }) => major >= serverMajor);
  const best = found.sort((a, b) => a.major - b.major)[0];
  if (best !== undefined) return { major: best.major, path: (name) => join(best.folder, name) };
  throw new LociError(
    'unavailable',
    `The team database is PostgreSQL ${serverMajor}, and no pg_dump of that version or newer is on this machine: install the package postgresql-client-${serverMajor}.`,
    { server: serverMajor, cause: 'no_pg_dump' },
  );
}

/** Folders that hold all three programs, with their major version. */
export async function installedPrograms(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly folder: string; readonly major: number }[]> {
  const folders = [...versioned(), ...(env.PATH ?? '').split(delimiter)].filter(
    (folder) => folder !== '' && ['pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(join(folder, name))),
  );
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => ({ folder, major: await majorOf(join(folder, 'pg_dump')) })),
  );
  return found.filter((one): one is { folder: string; major: number } => one.major !== null);
}

function versioned(): string[] {
  return versionedFolders.flatMap((root) => {
    try {
      return readdirSync(root)
        .filter((name) => folderOfVersion.test(name))
        .map((name) => join(root, name, 'bin'));
    } catch {
      return [];
    }
  });
}

async function majorOf(program: string): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 10_000 });
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    return major === undefined ? null : Number(major);
  } catch {
    return null;
  }
}

/** What libpq knows of an address; other words are the driver's own and would be refused. */
const knownWords =
  /^(host|hostaddr|port|user|passfile|channel_binding|connect_timeout|options|keepalives\w*|tcp_user_timeout|ssl\w*|gssencmode|krbsrvname|target_session_attrs|load_balance_hosts)$/;

/** The address of a database without its password, and an environment that holds it. */
export function forPrograms(url: string, env: NodeJS.ProcessEnv): { dbname: string; env: NodeJS.ProcessEnv } {
  const address = new URL(url);
  const password =
    address.password === '' ? address.searchParams.get('password') : decodeURIComponent(address.password);
  address.password = '';
  for (const word of [...address.searchParams.keys()]) if (!knownWords.test(word)) address.searchParams.delete(word);
  if (address.searchParams.get('sslmode') === 'no-verify') address.searchParams.set('sslmode', 'require');
  const own = { PGAPPNAME: 'loci backup', PGCONNECT_TIMEOUT: '10', LC_ALL: 'C', PGCLIENTENCODING: 'UTF8' };
  return { dbname: address.href, env: { ...env, ...own, ...(password === null ? {} : { PGPASSWORD: password }) } };
}

export type Running = {
  readonly child: ChildProcess;
  /** Resolves at the end with what it complained of. Rejects with that as an `Error` where it failed. */
  readonly ended: Promise<string>;
};

/** Starts a program; what it says on stderr is kept for the log. The signal ends it. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly signal?: AbortSignal | undefined; readonly isGentle?: boolean },
): Running {
  const { env, signal, isGentle } = options;
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], ...(signal ? { signal } : {}) });
  if (isGentle === true && child.pid !== undefined) yieldTo(child.pid);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.stdin.on('error', () => undefined); // its end tells
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`ended with ${code}: ${said}`))));
  });
  ended.catch(() => undefined); // whoever waits for it hears of it
  return { child, ended };
}

/** A backup that nobody waits for yields to whoever does. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // then it works at the priority of all
  }
}
