// A daemon that a client started before the service manager was there (ssh before the desktop session) holds the lock, while the manager's
// own sockets are open and nobody would ever answer on them. So the daemon that a manager starts asks the other to finish. Only a request
// on its socket ends it, never a signal: the pid in a card may be a stranger's by now.
import { request } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCard } from './card.ts';
import { type DataLock, takeDataLock } from './data-lock.ts';

export type TakeOverOptions = { readonly lock: string; readonly card: string; readonly withinMs: number };

/** The lock, once the daemon that held it has ended; null when it goes on. */
export async function takeOver({ lock, card, withinMs }: TakeOverOptions): Promise<DataLock | null> {
  const holder = readCard(card);
  if (holder?.host === hostname() && holder.http_socket !== undefined) await askToStop(holder.http_socket);
  const deadlineMs = Date.now() + withinMs;
  while (Date.now() < deadlineMs) {
    const taken = takeDataLock(lock);
    if (taken !== null) return taken;
    await sleep(100);
  }
  return null;
}

function askToStop(socketPath: string): Promise<void> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: 'POST', path: '/daemon/stop', timeout: 2_000 }, (answer) => {
      answer.resume();
      answer.once('close', resolve);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('close', resolve);
    asked.once('error', () => resolve());
    asked.end();
  });
}
