// A PostgreSQL of the tests' own: a cluster in a temporary folder, on a Unix socket there, ended by its process id. PostgreSQL refuses to
// run as root, so for root it runs as the user that the system's packages made for it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type Cluster = {
  /** The address of a database, for `storage.url`. */
  url(database: string): string;
  readonly pid: () => number;
  /** Ends it as a power cut would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/** Where the cluster can be reached besides its socket: from other network namespaces, at this address of its own. */
export type ClusterNetwork = { readonly namespace: string; readonly address: string };

const user = 'loci';

export async function startCluster(network: ClusterNetwork | null = null): Promise<Cluster> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'loci-pg-'));
  const owner = ownerOfCluster();
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...(owner ?? {}), cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...options, stdio: 'ignore' },
  );
  if (network !== null) appendFileSync(join(data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust\n');
  const url = (database: string): string => `postgres:///${database}?host=${encodeURIComponent(folder)}&user=${user}`;
  // what a crash of the process may lose, the system has already; only the test's time would be spent on the disk
  const flags = [
    `listen_addresses=${network?.address ?? ''}`,
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=200',
  ];
  const spawnServer = (): ChildProcess => {
    const command = [join(programs, 'postgres'), '-D', data, ...flags.flatMap((flag) => ['-c', flag])];
    return network === null
      ? spawn(command[0] as string, command.slice(1), { ...options, stdio: 'ignore' })
      : spawn('ip', inNamespace(network.namespace, owner, command), {
          cwd: folder,
          env: options.env,
          stdio: 'ignore',
        });
  };
  /** While the last connections of one that was killed still hold its memory, another refuses to start. */
  const start = async (): Promise<ChildProcess> => {
    for (let attempt = 0; ; attempt += 1) {
      const started = spawnServer();
      if (await isReady(url('postgres'), started)) return started;
      if (attempt === 40) throw new Error('the cluster of the tests did not start');
      await sleep(250);
    }
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded(server)) return;
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await exited;
  };
  return {
    url,
    pid: () => server.pid ?? -1,
    async crash() {
      await end('SIGKILL');
      server = await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements over a connection of its own. */
export async function runSql<Row = Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** What `ip` is told, as root, so that a command runs in a namespace as the cluster's owner; it keeps the process id. */
function inNamespace(
  namespace: string,
  owner: { uid: number; gid: number } | null,
  command: readonly string[],
): string[] {
  const { uid, gid } = owner ?? { uid: 0, gid: 0 };
  return ['netns', 'exec', namespace, 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command];
}

function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const version = readdirSync(root)
    .map(Number)
    .filter((number) => number >= 15)
    .sort((a, b) => a - b)[0];
  if (version === undefined) throw new Error('these tests need the package postgresql-15');
  return join(root, String(version), 'bin');
}

function ownerOfCluster(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Waits until it answers; false when it has ended instead. */
async function isReady(url: string, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 400 && !hasEnded(server); attempt += 1) {
    try {
      await runSql(url, 'SELECT 1');
      return true;
    } catch {
      await sleep(25);
    }
  }
  if (!hasEnded(server)) server.kill('SIGKILL');
  return false;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
