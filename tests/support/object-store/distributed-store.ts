// An object store of several servers on this machine: a master, three volume servers of which two keep each object, a filer and the gateway
// that speaks S3. One volume server after another is killed, as machines of a rack fail.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../at-end.ts';
import { tempFolder } from '../temp-folder.ts';
import { installObjectStore } from './install-object-store.ts';
import { bucket, environmentOf, freePort, keys, type TestObjectStore, untilAnswered } from './object-store.ts';

const volumeServers = 3;

/** `kill` ends the next volume server in turn, `start` brings it back. The end of the test ends all. */
export async function startDistributedStore(): Promise<TestObjectStore> {
  const program = await installObjectStore('seaweedfs');
  const folder = tempFolder();
  const running = new Map<string, ChildProcess>();
  atEnd(async () => {
    for (const name of [...running.keys()]) await end(name);
  });

  function run(name: string, ...words: string[]): void {
    const home = join(folder, name);
    mkdirSync(home, { recursive: true });
    running.set(name, spawn(program, words, { cwd: home, env: { HOME: home }, stdio: 'ignore' }));
  }

  async function end(name: string): Promise<void> {
    const ending = running.get(name);
    running.delete(name);
    if (ending === undefined || ending.exitCode !== null) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await exited;
  }

  const [master, filer, gateway] = [await place(), await place(), await place()];
  const volumes = await Promise.all(Array.from({ length: volumeServers }, place));
  const startVolume = (index: number): void => {
    const own = portsOf(volumes[index] as Place);
    run(`volume-${index}`, 'volume', ...own, `-master=${addressOf(master)}`, '-dir=.', '-max=20', '-minFreeSpace=1');
  };
  // every object is kept by two servers, which may stand in one rack
  run(
    'master',
    'master',
    ...portsOf(master),
    '-mdir=.',
    '-peers=none',
    '-defaultReplication=001',
    '-volumeSizeLimitMB=64',
  );
  await untilAnswered(`http://127.0.0.1:${master.port}/cluster/status`);
  for (let index = 0; index < volumeServers; index += 1) startVolume(index);
  const replicas = '-defaultReplicaPlacement=001';
  run('filer', 'filer', ...portsOf(filer), `-master=${addressOf(master)}`, '-defaultStoreDir=.', replicas);
  const identities = join(folder, 'identities.json');
  writeFileSync(identities, JSON.stringify({ identities: [identity] }));
  const own = [`-port=${gateway.port}`, `-port.grpc=${gateway.grpc}`, '-ip.bind=127.0.0.1'];
  await untilAnswered(`http://127.0.0.1:${filer.port}/`);
  run('gateway', 's3', ...own, `-filer=${addressOf(filer)}`, `-config=${identities}`);
  await untilAnswered(`http://127.0.0.1:${gateway.port}/`);
  await fetch(`http://127.0.0.1:${filer.port}/buckets/${bucket}/`, { method: 'POST' });

  let turn = 0;
  return {
    url: `s3://${bucket}/loci`,
    env: environmentOf(`127.0.0.1:${gateway.port}`),
    kill: () => end(`volume-${turn % volumeServers}`),
    async start() {
      startVolume(turn % volumeServers);
      turn += 1;
      await sleep(500);
    },
  };
}

type Place = { readonly port: number; readonly grpc: number };

const identity = {
  name: 'loci',
  credentials: [{ accessKey: keys.AWS_ACCESS_KEY_ID, secretKey: keys.AWS_SECRET_ACCESS_KEY }],
  actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
};

async function place(): Promise<Place> {
  return { port: await freePort(), grpc: await freePort() };
}

function portsOf({ port, grpc }: Place): string[] {
  return ['-ip=127.0.0.1', `-port=${port}`, `-port.grpc=${grpc}`];
}

/** As its servers name each other: both ports in one. */
function addressOf({ port, grpc }: Place): string {
  return `127.0.0.1:${port}.${grpc}`;
}
