// Whether the database answers. A network that is cut says nothing: what was asked over it would wait for the system's own limit, a quarter
// of an hour. The connection of the change feed asks every two seconds, so it notices first; what it found stands in one number that
// all threads of the daemon see. While it says "lost", every call is refused at once, and what was under way is given up.
import { LociError } from '#shared/errors.ts';
import { away } from './postgres-errors.ts';

/** One number: 0 while the database answers, 1 while it does not. */
export type Pulse = Int32Array;

export function createPulse(): Pulse {
  return new Int32Array(new SharedArrayBuffer(4));
}

export function isLost(pulse: Pulse | undefined): boolean {
  return pulse !== undefined && Atomics.load(pulse, 0) === 1;
}

export function setLost(pulse: Pulse | undefined, lost: boolean): void {
  if (pulse !== undefined) Atomics.store(pulse, 0, lost ? 1 : 0);
}

export function lostError(): LociError {
  return new LociError('unavailable', away, { cause: 'postgres_away' });
}
