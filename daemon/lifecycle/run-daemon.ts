// The life of the process around the app: one per data folder, clear words when it cannot start, an orderly end.
// The lock comes before everything that takes time: of twenty that start at once, nineteen leave within the time that
// loading the libraries would have cost each of them.
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { DaemonCard } from '#shared/daemon-card.ts';
import { LociError } from '#shared/errors.ts';
import { type LociPaths, resolvePaths } from '#shared/paths.ts';
import type { Settings } from '#shared/read-settings.ts';
import type { StoreCheck } from '#shared/store-check.ts';
import { version } from '#shared/version.ts';
import { cardOf, readCard, writeCard } from './card.ts';
import { type DataLock, takeDataLock } from './data-lock.ts';
import { fileProblem, prepareDataFolder, prepareFolders } from './folders.ts';
import { loadSettings } from './load-settings.ts';
import { notifyServiceManager } from './notify.ts';
import { takeOver } from './take-over.ts';
import { ensureToken } from './token.ts';

/** What the app gets: everything that was settled before it was loaded. */
export type AppStart = {
  readonly paths: LociPaths;
  readonly settings: Settings;
  readonly logger: Logger;
  /** The bearer token of TCP. */
  readonly token: string;
  readonly startedAtMs: number;
  /** Puts the TCP port into the card, once it is known. */
  readonly publishPort: (port: number | null) => void;
  /** Ends the process in order: what `POST /daemon/stop` calls after its answer. */
  readonly requestStop: () => void;
  readonly env: NodeJS.ProcessEnv;
};

export type App = {
  /** Finishes what was accepted, closes in reverse order, and resolves; sockets are destroyed after 5 s at most. */
  stop(): Promise<void>;
};

export type DaemonProgram = {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Loads the rest of the program; called when the lock is held. */
  readonly loadApp: () => Promise<{ startApp: (start: AppStart) => Promise<App> }>;
  /** Loads what looks at the store without serving it. */
  readonly loadCheck?: () => Promise<{
    checkStore: (paths: LociPaths, options: { team?: { url: string; env: NodeJS.ProcessEnv } }) => Promise<StoreCheck>;
  }>;
  /** Loads what copies the store from one engine to the other. */
  readonly loadMove?: () => Promise<{ moveStore: MoveStore }>;
  /** How often the lock is looked at; a minute unless given. */
  readonly lockCheckMs?: number;
};

type MoveStore = (
  paths: LociPaths,
  options: {
    readonly url: string | null;
    readonly direction: 'to-team' | 'from-team';
    readonly isRehearsal: boolean;
    readonly progress: (table: string, done: number, total: number) => void;
  },
) => Promise<{ readonly rows: number; readonly kept: boolean }>;

/** `badInput` and `unusable` stand in `service-units/loci.service`: a service manager need not try again what ends the same way. */
const exitCodes = { stopped: 0, unexpected: 1, badInput: 2, lostLock: 70, unusable: 78 } as const;

/** A stop that hangs longer is cut off: what was acknowledged is on disk already. */
const stopDeadlineMs = 10_000;

/** Runs the daemon until a signal or `requestStop` ends the process. */
export async function runDaemon(program: DaemonProgram): Promise<void> {
  process.stdout.on('error', () => undefined); // the terminal or the log pipe may close before we do
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(program.argv);
    if (flags.version) return print(`locid ${version}`);
    if (flags.help) return print(help);
    if (flags.check) return await check(program, flags);
    if (flags.move !== undefined) return await move(program, flags, flags.move);
    await live(program, flags);
  } catch (error) {
    const told = fileProblem(error);
    const text = `error: ${told instanceof LociError ? told.message : String(told instanceof Error ? told.stack : told)}\n`;
    process.stderr.write(text);
    if (program.env.NOTIFY_SOCKET !== undefined) alsoLog(text, program);
    process.exit(exitCodeOf(told));
  }
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof LociError)) return exitCodes.unexpected;
  if (error.code === 'invalid_input') return exitCodes.badInput;
  return error.code === 'unavailable' ? exitCodes.unusable : exitCodes.unexpected;
}

/** Under systemd stderr goes to the journal; the client that waits for this daemon looks into the log. */
function alsoLog(text: string, { argv, env }: DaemonProgram): void {
  try {
    appendFileSync(resolvePaths(env, readFlags(argv)).log, text, { mode: 0o600 });
  } catch {
    // a folder that cannot be used is what there was to say
  }
}

async function check({ env, loadCheck }: DaemonProgram, flags: Flags): Promise<void> {
  const loaded = await loadCheck?.();
  if (loaded === undefined) return;
  const paths = resolvePaths(env, flags);
  // settings that cannot be read are another check's to tell
  const settings = await loadSettings({ file: paths.settings, env, flags: flags.settings }).catch(() => null);
  const url = settings?.values['storage.url'] ?? null;
  print(JSON.stringify(await loaded.checkStore(paths, url === null ? {} : { team: { url, env } })));
}

async function move({ env, loadMove }: DaemonProgram, flags: Flags, way: string): Promise<void> {
  if (way !== 'to-team' && way !== 'from-team') {
    throw new LociError('invalid_input', '--move-store takes to-team or from-team.');
  }
  const paths = resolvePaths(env, flags);
  prepareDataFolder(paths);
  const settings = await loadSettings({ file: paths.settings, env, flags: flags.settings });
  const loaded = await loadMove?.();
  const isShown = process.stderr.isTTY === true;
  const moved = await loaded?.moveStore(paths, {
    url: settings.values['storage.url'],
    direction: way,
    isRehearsal: flags.dryRun,
    progress: (table, done, total) => {
      if (isShown) process.stderr.write(`\r\u001b[K${table} ${done} of ${total}`);
    },
  });
  if (isShown) process.stderr.write('\r\u001b[K');
  print(JSON.stringify(moved));
}

async function live(program: DaemonProgram, flags: Flags): Promise<void> {
  const { env } = program;
  process.env.ORT_DISABLE_TELEMETRY = '1'; // onnxruntime would report to its maker; it reads this once, when it is loaded
  const startedAtMs = Date.now();
  const paths = resolvePaths(env, flags);
  prepareDataFolder(paths);
  let lock = takeDataLock(paths.lock);
  if (lock === null && env.NOTIFY_SOCKET !== undefined)
    lock = await takeOver({ ...paths, withinMs: stopDeadlineMs + 2_000 });
  if (lock === null) {
    process.stderr.write(`${describeHolder(readCard(paths.card), paths)}\n`);
    process.exit(exitCodes.stopped);
  }

  const settings = await loadSettings({ file: paths.settings, env, flags: flags.settings });
  prepareFolders(paths, { allowNetworkFs: settings.values['storage.allow_network_fs'] });
  const token = ensureToken(paths.token);
  let card = cardOf(paths, startedAtMs, settings.values['hooks.deadline_ms']);
  writeCard(paths.card, card);

  const end = orderlyEnd({
    stopped: () => writeCard(paths.card, { ...card, pid: null, port: null }),
    lock,
    env,
    lockCheckMs: program.lockCheckMs ?? 60_000,
  });
  const logger = await openLog(paths, settings);
  guardProcess(logger, () => void end.stop(exitCodes.unexpected));
  const { startApp } = await program.loadApp();
  const app = await startApp({
    paths,
    settings,
    logger,
    token,
    startedAtMs,
    env,
    requestStop: () => void end.stop(),
    publishPort(port) {
      card = { ...card, port };
      writeCard(paths.card, card);
    },
  });
  notifyServiceManager('ready', env);
  await end.arm(app);
}

/** Loaded after the lock is held: the loser of a race has nothing to log. */
async function openLog(paths: LociPaths, { values, unknownEnv }: Settings): Promise<Logger> {
  const { createFileLogger } = await import('#daemon/kernel/logger.ts');
  const logger = createFileLogger({ file: paths.log, level: values['log.level'], maxMb: values['log.max_mb'] });
  logger.info({ version, data: paths.data }, 'daemon starting');
  if (unknownEnv.length > 0) logger.warn({ names: unknownEnv }, 'environment variables that name no setting');
  return logger;
}

/** A stray rejection (a native library, a broken pipe) must not end the daemon in a loop of restarts; a thrown error in a callback may have left anything behind. */
function guardProcess(logger: Logger, stop: () => void): void {
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'uncaught exception; stopping');
    stop();
  });
}

type EndDeps = {
  readonly stopped: () => void;
  readonly lock: DataLock;
  readonly env: NodeJS.ProcessEnv;
  readonly lockCheckMs: number;
};

/** Ends the process on a signal, on `stop`, or on the loss of the lock. A second signal ends it at once. */
function orderlyEnd(deps: EndDeps) {
  let app: App | null = null;
  let code: number | null = null;

  async function stop(exitCode: number = exitCodes.stopped): Promise<void> {
    if (code !== null) return;
    code = exitCode;
    setTimeout(() => process.exit(exitCodes.unexpected), stopDeadlineMs).unref();
    await finish();
  }

  async function finish(): Promise<void> {
    if (app === null || code === null) return; // still starting: `arm` comes back here
    notifyServiceManager('stopping', deps.env);
    try {
      await app.stop();
    } catch (error) {
      process.stderr.write(`error: ${error instanceof Error ? error.stack : String(error)}\n`);
      code = exitCodes.unexpected;
    }
    deps.stopped();
    deps.lock.release();
    process.exit(code);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => (code === null ? void stop() : process.exit(exitCodes.unexpected)));
  }
  process.on('SIGHUP', () => undefined); // the terminal that started it has closed
  deps.lock.watch(() => {
    process.stderr.write(
      'error: the lock of the data folder was removed or replaced; stopping before two daemons write.\n',
    );
    process.exit(exitCodes.lostLock); // at once, and without touching sockets that may be another daemon's by now
  }, deps.lockCheckMs);

  return {
    stop,
    async arm(started: App): Promise<void> {
      app = started;
      await finish();
    },
  };
}

function describeHolder(card: Partial<DaemonCard> | null, paths: LociPaths): string {
  if (typeof card?.pid !== 'number') return `locid: another daemon holds ${paths.data} and is starting.`;
  return `locid: already running as process ${card.pid} on ${card.host}, version ${card.version}, since ${card.started_at}, socket ${card.http_socket}.`;
}

type Flags = {
  readonly version: boolean;
  readonly help: boolean;
  readonly check: boolean;
  readonly move?: string | undefined;
  readonly dryRun: boolean;
  readonly home?: string | undefined;
  readonly socket?: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
};

const help = `Usage: locid [options]

Runs the Loci daemon in the foreground; \`loci start\` runs it in the background.

  --home DIR       folder for everything (LOCI_HOME)
  --socket PATH    Unix socket (LOCI_SOCKET)
  --host ADDRESS   TCP address (LOCI_HOST)
  --port NUMBER    TCP port, 0 for a free one (LOCI_PORT)
  --check          look at the store, change nothing, and print what was found as JSON
  --move-store WAY copy the whole store: to-team, into the database of \`storage.url\`, or from-team, out of it
  --dry-run        with --move-store: do all of it, and keep nothing
  --version        print the version
  --help           print this text`;

function readFlags(argv: readonly string[]): Flags {
  const option = { type: 'string' } as const;
  const options = {
    home: option,
    socket: option,
    host: option,
    port: option,
    version: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    check: { type: 'boolean' },
    'move-store': option,
    'dry-run': { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    return {
      version: values.version === true,
      help: values.help === true,
      check: values.check === true,
      move: values['move-store'],
      dryRun: values['dry-run'] === true,
      home: values.home,
      socket: values.socket,
      settings: { 'http.host': values.host, 'http.port': values.port },
    };
  } catch (error) {
    throw new LociError('invalid_input', `${error instanceof Error ? error.message : 'Bad option.'}`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
