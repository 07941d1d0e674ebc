// A login from elsewhere without a token that travels by hand. The client makes the token and sends it; it is not valid, so the call is
// refused, but the refusal names a code. The owner reads the code off the client's screen and approves it here, whereby the token that
// the client already has becomes valid. No route is open for this, and nothing but the token's hash is kept, for ten minutes, in memory.
import { randomInt } from 'node:crypto';
import type { Clock } from '#daemon/kernel/clock.ts';
import { LociError } from '#shared/errors.ts';

export type LoginOffer = { readonly code: string; readonly expiresInMs: number };

export type Logins = {
  /** The code for a token that waits to be approved; the same one as long as it waits. */
  offer(tokenHash: string, peer: string): LoginOffer;
  /** The hash behind a code, which is taken out. Throws `not_found`. */
  take(code: string): string;
};

const lifetimeMs = 10 * 60_000;
const maxWaiting = 100;
/** What one address may have waiting: it cannot push out everybody else's. */
const maxOfPeer = 5;
/** No vowels and nothing that looks like something else. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

type Waiting = { readonly hash: string; readonly peer: string; readonly code: string; readonly untilMs: number };

export function createLogins(clock: Clock): Logins {
  const waiting = new Map<string, Waiting>();

  function dropOld(nowMs: number): void {
    for (const [code, { untilMs }] of waiting) if (nowMs >= untilMs) waiting.delete(code);
  }

  return {
    offer(hash, peer) {
      const nowMs = clock.now();
      dropOld(nowMs);
      const known = [...waiting.values()].find((one) => one.hash === hash);
      if (known !== undefined) return { code: known.code, expiresInMs: known.untilMs - nowMs };
      const ofPeer = [...waiting.values()].filter((one) => one.peer === peer);
      const [surplus] = ofPeer.length >= maxOfPeer ? ofPeer : waiting.size >= maxWaiting ? [...waiting.values()] : [];
      if (surplus !== undefined) waiting.delete(surplus.code);
      const code = newCode();
      waiting.set(code, { hash, peer, code, untilMs: nowMs + lifetimeMs });
      return { code, expiresInMs: lifetimeMs };
    },
    take(given) {
      dropOld(clock.now());
      const plain = given.toUpperCase().replace(/[^A-Z]/g, '');
      const code = `${plain.slice(0, 4)}-${plain.slice(4)}`;
      const found = waiting.get(code);
      if (found === undefined) {
        throw new LociError('not_found', 'No login waits under this code: it lives for ten minutes; begin it again.');
      }
      waiting.delete(code);
      return found.hash;
    },
  };
}

function newCode(): string {
  const text = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
