// A running server of the S3 protocol with one bucket, which can be ended as by a power cut and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installObjectStore, type ServerName } from './install-object-store.ts';

export type TestObjectStore = {
  /** For `vectors.url`, a folder of its own. */
  readonly url: string;
  /** What reaches it: keys, region, address. */
  readonly env: Record<string, string>;
  kill(): Promise<void>;
  start(): Promise<void>;
};

/** Those that are one program with one folder. */
export type SingleServer = Exclude<ServerName, 'seaweedfs'>;

export const bucket = 'team-vectors';
export const keys = { AWS_ACCESS_KEY_ID: 'loci-tests', AWS_SECRET_ACCESS_KEY: 'not-a-secret-of-anybody' };

/** Serves what is in a folder, until it is killed. */
export async function serveObjectStore(name: SingleServer, folder: string): Promise<TestObjectStore> {
  const program = await installObjectStore(name);
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  const store: TestObjectStore = {
    url: `s3://${bucket}/loci`,
    env: environmentOf(address),
    async kill() {
      const ending = server;
      server = null;
      if (ending === null || ending.exitCode !== null) return;
      const exited = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await exited;
    },
    async start() {
      mkdirSync(join(folder, bucket), { recursive: true });
      server = spawn(program, argumentsOf(name, address, folder), {
        cwd: folder,
        env: { ROOT_ACCESS_KEY: keys.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: keys.AWS_SECRET_ACCESS_KEY },
        stdio: 'ignore',
      });
      await untilAnswered(`http://${address}/${bucket}`);
    },
  };
  await store.start();
  return store;
}

/** What reaches a store at an address of this machine. */
export function environmentOf(address: string): Record<string, string> {
  return {
    ...keys,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: `http://${address}`,
    AWS_ALLOW_HTTP: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

function argumentsOf(name: SingleServer, address: string, folder: string): string[] {
  if (name === 'versitygw') return ['--port', address, '--quiet', 'posix', folder];
  const file = join(folder, 'objects.db');
  return ['-host', address, '-backend', 'bolt', '-bolt.db', file, '-initialbucket', bucket, '-quiet'];
}

export async function untilAnswered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const isUp = await fetch(url).then(
      async (answer) => (await answer.text()) !== undefined,
      () => false,
    );
    if (isUp) return;
    await sleep(25);
  }
  throw new Error('the object store of the tests did not start');
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
