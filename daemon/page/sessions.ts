// Who looks at the page. `loci ui` gets a code that works once and for a minute; the page trades it for a session of two secrets.
// One is a cookie that no script can read. But a cookie is sent to every port of a host, so another program that listens on this
// machine would be given it: alone it opens nothing. The other is a key that the page keeps for its own origin (host and port)
// and puts into a header, which a page of another origin can neither read nor send. Both live in this process alone, hashed.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#daemon/kernel/clock.ts';

/** Whom a session acts for: the one who asked for its code. */
export type SessionOwner = {
  readonly userId: number;
  readonly scopes: readonly string[];
  /** Aborted when the right of the one who asked ends; the session ends with it. */
  readonly ended?: AbortSignal;
};

/** What a request brings to be known by; `host` is its Host header. */
export type SessionProof = { readonly cookie: string; readonly key: string; readonly host: string };

export type PageSessions = {
  /** A code for one session of `owner`. */
  createCode(owner: SessionOwner): { readonly code: string; readonly expiresAtMs: number };
  /** Trades a code for a session that is good at `host` alone, or null where the code is unknown, used or too old. */
  redeem(code: string, host: string): { readonly cookie: string; readonly key: string } | null;
  ownerOf(proof: SessionProof): SessionOwner | null;
  end(proof: SessionProof): void;
};

const codeLifetimeMs = 60_000;

/** A session that nobody used for so long is over. */
const idleMs = 24 * 60 * 60_000;

/** More than anybody opens: codes and sessions beyond are forgotten, oldest first. */
const maxKept = 100;

type Code = { readonly owner: SessionOwner; readonly expiresAtMs: number };
type Session = { readonly owner: SessionOwner; readonly keyHash: string; readonly host: string; usedAtMs: number };

export function createPageSessions(clock: Clock): PageSessions {
  const codes = new Map<string, Code>();
  const sessions = new Map<string, Session>();

  function find({ cookie, key, host }: SessionProof): Session | null {
    const session = sessions.get(hash(cookie));
    if (session === undefined || session.keyHash !== hash(key) || session.host !== host) return null;
    if (clock.now() - session.usedAtMs < idleMs && session.owner.ended?.aborted !== true) return session;
    sessions.delete(hash(cookie));
    return null;
  }

  return {
    createCode(owner) {
      const code = secret();
      const expiresAtMs = clock.now() + codeLifetimeMs;
      keep(codes, hash(code), { owner, expiresAtMs });
      return { code, expiresAtMs };
    },
    redeem(code, host) {
      const known = codes.get(hash(code));
      codes.delete(hash(code));
      if (known === undefined || clock.now() >= known.expiresAtMs || known.owner.ended?.aborted === true) return null;
      const [cookie, key] = [secret(), secret()];
      keep(sessions, hash(cookie), { owner: known.owner, keyHash: hash(key), host, usedAtMs: clock.now() });
      return { cookie, key };
    },
    ownerOf(proof) {
      const session = find(proof);
      if (session === null) return null;
      session.usedAtMs = clock.now();
      return session.owner;
    },
    end(proof) {
      if (find(proof) !== null) sessions.delete(hash(proof.cookie));
    },
  };
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) return;
    kept.delete(oldest);
  }
}

/** 32 random bytes as text that a URL and a cookie take as they are. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is looked up is a hash of what was sent, so that the time of a look-up tells nothing of a secret. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
