// Who calls. On the Unix socket the file's permission has proved the owner, unless the call names a token: then it may do what that
// token may. Over TCP every route but the listed open ones needs a bearer token, checked before routing, so that a route added later is
// guarded without anybody remembering to.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { type CallerOf, isJwtShaped, isTokenShaped, owner } from '#daemon/kernel/caller.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import { LociError } from '#shared/errors.ts';
import type { HttpDeps, HttpEnv } from './http-deps.ts';
import { pageFiles } from './page-files.ts';
import { pageCaller, signInRoute } from './page-session.ts';

/** What TCP serves without a token: a health word and the static page. Nothing here may tell anything about what is stored. */
export const openRoutes: ReadonlySet<string> = new Set(
  ['/health', ...Object.keys(pageFiles)].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
);

/** How many different wrong tokens one minute allows a peer; further ones get 429. One wrong token sent often is a mistake, not a guess. */
const maxGuesses = 20;
const guessWindowMs = 60_000;
/** Peers whose guesses are counted at once; the one that guessed longest ago is forgotten first. */
const maxPeers = 1_000;

export type AuthDeps = Pick<HttpDeps, 'callerOf' | 'offerLogin' | 'pageSessions'>;

export function createAuth(deps: AuthDeps, clock: Clock): MiddlewareHandler<HttpEnv> {
  const guesses = createGuessCounter(clock);
  return async (c, next) => {
    const { transport, incoming } = c.env;
    const { authorization } = incoming.headers;
    if (transport === 'socket' && authorization === undefined) {
      c.set('caller', owner);
      return next();
    }
    const route = `${c.req.method} ${c.req.path}`;
    if (transport === 'tcp' && (openRoutes.has(route) || route === signInRoute)) return next();
    const token = bearerToken(authorization);
    const looker = token === null && transport === 'tcp' ? pageCaller(incoming, deps.pageSessions) : null;
    if (looker !== null) {
      c.set('caller', looker);
      return next();
    }
    if (token === null) {
      throw new LociError(
        'unauthorized',
        'Send the token that `loci token show` prints, as `Authorization: Bearer <token>`.',
      );
    }
    const caller = await deps.callerOf(token);
    if (caller === null) {
      const peer = incoming.socket.remoteAddress ?? 'socket';
      if (guesses.isTooMany(peer, token)) {
        throw new LociError(
          'rate_limited',
          'Too many wrong tokens: wait a minute, then use what `loci token show` prints.',
        );
      }
      if (incoming.headers['loci-login'] !== undefined) throw await loginOffer(deps, token, peer);
      throw new LociError(
        'unauthorized',
        'This token is not valid (any more): use one that `loci token show` or `loci token create` prints.',
      );
    }
    c.set('caller', caller);
    return next();
  };
}

/** The refusal that tells a client under which code the owner can make its token valid. */
async function loginOffer({ offerLogin }: AuthDeps, token: string, peer: string): Promise<LociError> {
  if (offerLogin === undefined || !isTokenShaped(token) || isJwtShaped(token)) {
    return new LociError('unauthorized', 'A login begins with a new token of the form that `loci auth login` makes.');
  }
  const { code, expiresInMs } = await offerLogin(token, peer);
  return new LociError(
    'unauthorized',
    `The owner of this store has to approve this login: \`loci auth approve ${code}\`.`,
    {
      login_code: code,
      expires_in_s: Math.round(expiresInMs / 1000),
    },
  );
}

/** Compares digests, so that neither length nor content leaks through time. */
export function isSameToken(given: string, expected: string): boolean {
  return expected !== '' && timingSafeEqual(digest(given), digest(expected));
}

/** One token, one owner: what a store without users has. The token is read at each call, so a rotation needs no restart. */
export function createSingleCaller(token: () => string, scopes: readonly string[] = owner.scopes): CallerOf {
  return (given) => (isSameToken(given, token()) ? { ...owner, scopes } : null);
}

function bearerToken(header: string | undefined): string | null {
  return /^bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null;
}

/** Counts by peer, so that one who guesses locks nobody else out, in bounded memory: a thousand peers, twenty digests each. */
function createGuessCounter(clock: Clock): { isTooMany(peer: string, token: string): boolean } {
  const seenByPeer = new Map<string, Map<string, number>>();
  return {
    isTooMany(peer, token) {
      const now = clock.now();
      const seenAt = seenByPeer.get(peer) ?? new Map<string, number>();
      seenByPeer.delete(peer); // and in again: the order of the map is that of the last guess
      seenByPeer.set(peer, seenAt);
      for (const [oldest] of seenByPeer) {
        if (seenByPeer.size <= maxPeers) break;
        seenByPeer.delete(oldest);
      }
      // either way: a clock that was set back must not make a minute of years
      for (const [hash, at] of seenAt) if (Math.abs(now - at) >= guessWindowMs) seenAt.delete(hash);
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
