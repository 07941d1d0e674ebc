import { type Caller, isJwtShaped } from '#daemon/kernel/caller.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import type { SettingValues } from '#shared/settings.ts';
import { accessOperations } from './access.operations.ts';
import { createJwtCallers, type JwtSettings } from './jwt-callers.ts';
import { createLogins, type LoginOffer } from './logins.ts';
import { createTokenCallers, type TokenCallersDeps } from './token-callers.ts';
import { hashOfToken } from './tokens.ts';
import { userOperations } from './users.operations.ts';

export type Users = {
  readonly operations: readonly Operation[];
  /** Whom a token stands for, or null. */
  callerOf(token: string): Promise<Caller | null>;
  /** The code by which the owner can make a token valid that is not yet. */
  offerLogin(token: string, peer: string): LoginOffer;
  close(): void;
};

/** Puts the room together. */
export function createUsers(deps: TokenCallersDeps, settings: SettingValues): Users {
  const callers = createTokenCallers(deps);
  const logins = createLogins(deps.clock);
  const issuer = jwtSettingsOf(settings, deps.logger);
  const ofIssuer = issuer === null ? null : createJwtCallers(deps, issuer);
  return {
    operations: [
      ...userOperations(deps),
      ...accessOperations({ ...deps, callers, logins, hasIssuer: issuer !== null }),
    ],
    async callerOf(token) {
      if (!isJwtShaped(token)) return callers.callerOf(token);
      return ofIssuer === null ? null : ofIssuer(token);
    },
    offerLogin: (token, peer) => logins.offer(hashOfToken(token), peer),
    close: () => callers.close(),
  };
}

/** Null where no issuer is set. Without an audience none is accepted: tokens that it made for other services would open this one. */
function jwtSettingsOf(settings: SettingValues, logger: Logger): JwtSettings | null {
  const issuer = settings['auth.jwt.issuer'];
  const audience = settings['auth.jwt.audience'];
  if (issuer !== null && audience !== null) {
    const jwksUrl = settings['auth.jwt.jwks_url'] ?? `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`;
    return { issuer, audience, jwksUrl };
  }
  const isHalf = issuer !== null || audience !== null || settings['auth.jwt.jwks_url'] !== null;
  if (isHalf) logger.warn({}, 'no JWT is accepted: auth.jwt.issuer and auth.jwt.audience must both be set');
  return null;
}
