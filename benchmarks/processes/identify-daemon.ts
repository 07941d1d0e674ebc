import { setTimeout as sleep } from 'node:timers/promises';
import { identify } from '#clients/connect/find-daemon.ts';
import { createWire } from '#clients/connect/wire.ts';
import { resolvePaths } from '#shared/paths.ts';
import { clientEnvironment } from './program.ts';

/** The process that answers on a home's socket, or null. */
export async function identifyDaemon(home: string): Promise<number | null> {
  const wire = createWire();
  const identity = await identify(wire, resolvePaths(clientEnvironment(home)));
  wire.close();
  return identity?.pid ?? null;
}

/** Kills the daemon of a home, as a crash would, and waits until it is gone. */
export async function killDaemonOf(home: string): Promise<void> {
  const pid = await identifyDaemon(home);
  if (pid === null) return;
  process.kill(pid, 'SIGKILL');
  while (isAlive(pid)) await sleep(5);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
