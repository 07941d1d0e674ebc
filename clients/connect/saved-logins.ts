// Tokens for daemons elsewhere, by address, as `loci auth login` keeps them: one file that its owner alone can read.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { invalidField, LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';

export type SavedLogin = { readonly token: string; readonly saved_at: string };

type Logins = Readonly<Record<string, SavedLogin>>;

/**
 * One spelling for one server: scheme and host in lower case, no port where the scheme implies it, no path, no slash at the end.
 * Throws `invalid_input` for what is no http address, and for one that holds a password.
 */
export function normaliseServer(url: string): string {
  const given = url.trim();
  if (!URL.canParse(given) || !/^https?:\/\/[^/]/iu.test(given)) {
    throw invalidField('server', `The server must be an address that begins with http:// or https://, not ${url}.`);
  }
  const { origin, username, password } = new URL(given);
  if (username !== '' || password !== '') {
    throw invalidField('server', 'The address of the server must hold no name and no password: log in by a token.');
  }
  return origin;
}

export function savedLogin(paths: Pick<LociPaths, 'logins'>, server: string): SavedLogin | null {
  const all = readLogins(paths.logins);
  const found = Object.hasOwn(all, server) ? all[server] : undefined;
  return typeof found?.token === 'string' && found.token !== '' ? found : null;
}

export function saveLogin(paths: Pick<LociPaths, 'logins'>, server: string, login: SavedLogin): void {
  writeLogins(paths.logins, { ...readLogins(paths.logins), [server]: login });
}

/** False where there was none. */
export function dropLogin(paths: Pick<LociPaths, 'logins'>, server: string): boolean {
  const { [server]: dropped, ...others } = readLogins(paths.logins);
  if (dropped === undefined) return false;
  writeLogins(paths.logins, others);
  return true;
}

/** Servers with a login, in order. */
export function savedServers(paths: Pick<LociPaths, 'logins'>): string[] {
  return Object.keys(readLogins(paths.logins)).sort();
}

function readLogins(file: string): Logins {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Logins) : {};
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw new LociError('internal', 'The file of logins cannot be read: check who owns the configuration folder.');
  }
}

function writeLogins(file: string, logins: Logins): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
