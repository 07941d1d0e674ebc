// Where everything lives. Clients must find the socket without reading a file, so this is a pure function of the environment.
// A socket path longer than the kernel takes (107 bytes on Linux) moves to a private folder below the temporary one,
// named by a hash of the run folder, so that two long homes never share a socket.
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export type LociPaths = {
  readonly data: string;
  readonly config: string;
  readonly state: string;
  readonly run: string;
  readonly database: string;
  readonly vectors: string;
  readonly backups: string;
  readonly lock: string;
  readonly card: string;
  readonly settings: string;
  readonly token: string;
  /** Tokens for daemons elsewhere. */
  readonly logins: string;
  readonly log: string;
  readonly stopMark: string;
  /** What hooks leave for the daemon. */
  readonly spool: string;
  /** Uploads that are being imported. */
  readonly imports: string;
  readonly httpSocket: string;
  readonly mcpSocket: string;
};

export type PathOptions = { readonly home?: string | undefined; readonly socket?: string | undefined };

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, its closing NUL included. */
export const maxSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

type Folders = Pick<LociPaths, 'data' | 'config' | 'state' | 'run'>;

/** Resolves every path from flags (`options`) before the environment before the platform's custom. */
export function resolvePaths(env: NodeJS.ProcessEnv, options: PathOptions = {}): LociPaths {
  const home = options.home ?? nonEmpty(env.LOCI_HOME);
  const folders = home === undefined ? platformFolders(env) : foldersBelow(resolve(home));
  const sockets = socketFolder(folders.run, env);
  const httpSocket = options.socket ?? nonEmpty(env.LOCI_SOCKET) ?? join(sockets, 'loci.sock');
  return {
    ...folders,
    database: join(folders.data, 'loci.db'),
    vectors: join(folders.data, 'vectors'),
    backups: join(folders.data, 'backups'),
    lock: join(folders.data, 'locid.lock'),
    card: join(folders.data, 'locid.json'),
    settings: join(folders.config, 'config.toml'),
    token: join(folders.config, 'token'),
    logins: join(folders.config, 'servers.json'),
    log: join(folders.state, 'log', 'locid.log'),
    stopMark: join(folders.state, 'stopped'),
    spool: join(folders.state, 'spool'),
    imports: join(folders.state, 'imports'),
    httpSocket: resolve(httpSocket),
    mcpSocket: join(resolve(httpSocket, '..'), 'mcp.sock'),
  };
}

function foldersBelow(home: string): Folders {
  return { data: join(home, 'data'), config: join(home, 'config'), state: join(home, 'state'), run: join(home, 'run') };
}

function platformFolders(env: NodeJS.ProcessEnv): Folders {
  const home = nonEmpty(env.HOME) ?? homedir();
  if (process.platform === 'darwin') {
    const library = join(home, 'Library');
    const support = join(library, 'Application Support', 'loci');
    return {
      data: support,
      config: join(support, 'config'),
      state: join(library, 'Logs', 'loci'),
      run: join(library, 'Caches', 'loci', 'run'),
    };
  }
  const state = join(xdg(env.XDG_STATE_HOME, home, '.local/state'), 'loci');
  const runtime = nonEmpty(env.XDG_RUNTIME_DIR);
  return {
    data: join(xdg(env.XDG_DATA_HOME, home, '.local/share'), 'loci'),
    config: join(xdg(env.XDG_CONFIG_HOME, home, '.config'), 'loci'),
    state,
    run: runtime !== undefined && isAbsolute(runtime) ? join(runtime, 'loci') : join(state, 'run'),
  };
}

/** The XDG base directory rule: a relative value is invalid and ignored. */
function xdg(value: string | undefined, home: string, fallback: string): string {
  const given = nonEmpty(value);
  return given !== undefined && isAbsolute(given) ? given : join(home, fallback);
}

function socketFolder(run: string, env: NodeJS.ProcessEnv): string {
  if (Buffer.byteLength(join(run, 'loci.sock')) <= maxSocketPathBytes) return run;
  const { createHash } = process.getBuiltinModule('node:crypto'); // seldom needed, and dear to load for the shim
  const hash = createHash('sha256').update(run).digest('hex').slice(0, 16);
  return join(nonEmpty(env.TMPDIR) ?? tmpdir(), `loci-${userInfo().uid}-${hash}`);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
