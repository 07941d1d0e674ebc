// Who calls. On the Unix socket the file's permission has proved the owner. Over TCP every route but the listed open ones needs
// a bearer token, checked before routing, so that a route added later is guarded without anybody remembering to.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from '#daemon/kernel/clock.ts';
import { LociError } from '#shared/errors.ts';
import type { HttpEnv, PageSessions } from './http-deps.ts';
import { pageFiles } from './page-files.ts';
import { pageCaller, signInRoute } from './page-session.ts';

export type Caller = { readonly userId: number; readonly scopes: readonly string[] };

/** The caller a token stands for, or null. Must compare in constant time (`isSameToken`). */
export type CallerOf = (token: string) => Caller | null;

export const owner: Caller = { userId: 1, scopes: ['*'] };

/** What TCP serves without a token: a health word and the static page. Nothing here may tell anything about what is stored. */
export const openRoutes: ReadonlySet<string> = new Set(
  ['/health', ...Object.keys(pageFiles)].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
);

/** How many different wrong tokens one minute allows; further ones get 429. One wrong token sent often is a mistake, not a guess. */
const maxGuesses = 20;
const guessWindowMs = 60_000;

export function createAuth(callerOf: CallerOf, clock: Clock, pageSessions?: PageSessions): MiddlewareHandler<HttpEnv> {
  const guesses = createGuessCounter(clock);
  return async (c, next) => {
    if (c.env.transport === 'socket') {
      c.set('caller', owner);
      return next();
    }
    const route = `${c.req.method} ${c.req.path}`;
    if (openRoutes.has(route) || route === signInRoute) return next();
    const looker = pageCaller(c.env.incoming, pageSessions);
    if (looker !== null) {
      c.set('caller', looker);
      return next();
    }
    const token = bearerToken(c.env.incoming.headers.authorization);
    if (token === null) {
      throw new LociError(
        'unauthorized',
        'Send the token that `loci token show` prints, as `Authorization: Bearer <token>`.',
      );
    }
    const caller = callerOf(token);
    if (caller === null) {
      if (guesses.isTooMany(token)) {
        throw new LociError(
          'rate_limited',
          'Too many wrong tokens: wait a minute, then use what `loci token show` prints.',
        );
      }
      throw new LociError('unauthorized', 'This token is not valid: use the one that `loci token show` prints.');
    }
    c.set('caller', caller);
    return next();
  };
}

/** Compares digests, so that neither length nor content leaks through time. */
export function isSameToken(given: string, expected: string): boolean {
  return expected !== '' && timingSafeEqual(digest(given), digest(expected));
}

/** One token, one owner: what a store without users has. The token is read at each call, so a rotation needs no restart. */
export function createSingleCaller(token: () => string): CallerOf {
  return (given) => (isSameToken(given, token()) ? owner : null);
}

function bearerToken(header: string | undefined): string | null {
  return /^bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function createGuessCounter(clock: Clock): { isTooMany(token: string): boolean } {
  const seenAt = new Map<string, number>();
  return {
    isTooMany(token) {
      const now = clock.now();
      for (const [hash, at] of seenAt) if (now - at >= guessWindowMs) seenAt.delete(hash);
      const hash = digest(token).toString('base64');
      if (!seenAt.has(hash) && seenAt.size >= maxGuesses) return true;
      seenAt.set(hash, now);
      return false;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
