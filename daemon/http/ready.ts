// The sockets answer before the store is open: a call that comes meanwhile waits, and is told after 25 s rather than left hanging.
import type { Contract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import type { HttpDeps } from './http-deps.ts';

const defaultTimeoutMs = 25_000;

/** Resolves when operations can be served; rejects with `unavailable` after the time-out, or with what `ready` rejects with. */
export async function waitUntilReady(
  deps: Pick<HttpDeps, 'ready' | 'readyTimeoutMs'>,
  contract?: Contract,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new LociError('unavailable', 'Loci is still starting: try again in a few seconds.'));
    }, deps.readyTimeoutMs ?? defaultTimeoutMs);
  });
  try {
    await Promise.race([deps.ready(contract), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
