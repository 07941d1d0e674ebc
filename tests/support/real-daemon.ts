// The built programs with the bundled model: a home of the test's own, connections to its daemon, and what is left on its disk.
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import type { Home } from './daemon-process.ts';

/** The built daemon. */
export const locid = fileURLToPath(new URL('../../dist/locid.js', import.meta.url));
/** The built client. */
export const loci = fileURLToPath(new URL('../../dist/loci.cjs', import.meta.url));

/** Connects to the daemon of a home, and starts it when it is down. */
export function connectTo(home: Pick<Home, 'env'>, folder: string | null = null): Connection {
  const connection = createConnection({
    ...localDaemon(home.env),
    program: locid,
    server: null,
    folder,
    agent: 'test',
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** Waits until nothing more is to be embedded. */
export async function untilEmbedded(connection: Connection, withinMs = 30_000): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const { vectors } = (await connection.call('memory_stats', {})) as { vectors: { pending: number } };
    if (vectors.pending === 0) return;
    if (Date.now() > deadlineMs) throw new Error(`${vectors.pending} still wait for a vector after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
