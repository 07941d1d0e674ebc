// Tokens of a team's own issuer. The keys are the issuer's, read from its JWKS and kept until an unknown key id asks for them again (at
// most twice a minute, so that nobody makes us knock at the issuer's door by sending nonsense). Only asymmetric signatures: with a
// symmetric one, or none, whoever knows a public key could sign.
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Caller } from '#daemon/kernel/caller.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { narrowScopes, readScopes, scopesOfUser } from '#daemon/kernel/scopes.ts';
import { LociError } from '#shared/errors.ts';
import type { TokenCallersDeps } from './token-callers.ts';
import { hashOfToken } from './tokens.ts';
import { insertUser, type User, userByIdentity, userByName } from './users.repository.ts';
import { watchExpiry } from './watch-expiry.ts';

export type JwtSettings = { readonly issuer: string; readonly audience: string; readonly jwksUrl: string };

const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Clocks of two machines differ. */
const clockToleranceS = 30;
const jwksOptions = { timeoutDuration: 5_000, cooldownDuration: 30_000, cacheMaxAge: 10 * 60_000 };
/** How long a verified token is taken as verified, and how many are remembered. */
const cacheMs = 60_000;
const cacheSize = 1_000;

/** Answers whom a JWT stands for, and makes its user when it comes for the first time; null for one that is not valid. Throws `unavailable` where the issuer's keys cannot be read. */
export function createJwtCallers(
  deps: TokenCallersDeps,
  settings: JwtSettings,
): (token: string) => Promise<Caller | null> {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), jwksOptions);
  const verified = createCache<Caller>(cacheSize);

  return async (token) => {
    const hash = hashOfToken(token);
    const nowMs = deps.clock.now();
    const known = verified.get(hash, nowMs);
    if (known !== null) return known;
    const claims = await verify(token, nowMs);
    if (claims === null) return null;
    const expiresMs = (claims.exp ?? 0) * 1000;
    const user = await userOf(deps, claims);
    const ending = new AbortController();
    watchExpiry(deps.clock, expiresMs + clockToleranceS * 1000, () => ending.abort());
    const caller = { userId: user.id, scopes: scopesOf(claims, deps.ceiling), ended: ending.signal };
    verified.set(hash, caller, Math.min(nowMs + cacheMs, expiresMs));
    return caller;
  };

  async function verify(token: string, nowMs: number): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms,
        currentDate: new Date(nowMs),
        clockTolerance: clockToleranceS,
        requiredClaims: ['exp', 'sub'],
      });
      return typeof payload.sub === 'string' && payload.sub !== '' ? payload : null;
    } catch (error) {
      if (isAboutTheToken(error)) return null;
      deps.logger.warn({ err: error }, 'the keys of the issuer could not be read');
      throw new LociError('unavailable', 'The keys of the issuer cannot be read at the moment: try again soon.');
    }
  }
}

/** Whether the token is at fault, and not the way to the issuer's keys. */
function isAboutTheToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) return false;
  return error.code !== 'ERR_JOSE_GENERIC' && !(error instanceof errors.JWKSInvalid);
}

/**
 * `scope` (words between spaces), else `scp` (words or a list), else all that is the user's own; never more than the setting allows, and the
 * whole store (`admin`) only where the token names it.
 */
export function scopesOf(claims: JWTPayload, ceiling: readonly string[]): string[] {
  const named = claims.scope ?? claims.scp;
  if (named === undefined || named === null) return narrowScopes(scopesOfUser(['*'], false), ceiling);
  const text = Array.isArray(named) ? named.filter((word) => typeof word === 'string').join(' ') : String(named);
  return narrowScopes(scopesOfUser(readScopes(text), false), ceiling);
}

/** What to call the user: the first claim that says a name. */
export function nameOf(claims: JWTPayload): string {
  const candidates = [claims.preferred_username, claims.login, claims.name, claims.email, claims.sub];
  const [name = 'user'] = candidates.flatMap((claim) => {
    const text =
      typeof claim === 'string'
        ? claim
            .toWellFormed()
            .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
            .trim()
        : '';
    return text === '' ? [] : [[...text].slice(0, 90).join('')];
  });
  return /^\d+$/.test(name) ? `user ${name}` : name;
}

/** One user for an issuer and a subject, whatever they are called today; several first calls at once make one. */
async function userOf(deps: TokenCallersDeps, claims: JWTPayload): Promise<User> {
  const identity = `${claims.iss}\n${claims.sub}`;
  const known = await userByIdentity(deps.database.db, identity);
  if (known !== null) return known;
  const email = typeof claims.email === 'string' && claims.email.length <= 320 ? claims.email : null;
  return deps.database.write(internalContext, async (trx) => {
    const other = await userByIdentity(trx, identity);
    if (other !== null) return other;
    const wanted = nameOf(claims);
    let name = wanted;
    for (let number = 2; (await userByName(trx, name)) !== null; number += 1) name = `${wanted} (${number})`;
    return insertUser(trx, { name, email, notes: null, identity }, deps.clock.now());
  });
}

export type Cache<Value> = {
  get(key: string, nowMs: number): Value | null;
  set(key: string, value: Value, untilMs: number): void;
};

/** Keeps at most `size` values until their time; the one that was used longest ago gives way. Keys are hashes: no token is held. */
export function createCache<Value>(size: number): Cache<Value> {
  const entries = new Map<string, { value: Value; untilMs: number }>();
  return {
    get(key, nowMs) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entries.delete(key);
      if (nowMs >= entry.untilMs) return null;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, untilMs) {
      entries.delete(key);
      entries.set(key, { value, untilMs });
      for (const oldest of entries.keys()) {
        if (entries.size <= size) break;
        entries.delete(oldest);
      }
    },
  };
}
