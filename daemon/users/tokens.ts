// A token is 32 random bytes, told once. The store keeps its SHA-256: whoever reads the database or a backup has no token, and a slow
// hash would defend nothing that 256 random bits do not.
import { createHash, randomBytes } from 'node:crypto';
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { isWithin, readScopes, unknownScopes } from '#daemon/kernel/scopes.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import type { createToken, listTokens, revokeToken } from '#shared/contract/access.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import { scopeWords } from '#shared/contract/scopes.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { UserDeps } from './deps.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import { insertToken, markRevoked, type NamedToken, tokenById, tokenByName, tokenPage } from './tokens.repository.ts';
import { type User, userById, userByName } from './users.repository.ts';

const tokenPrefix = 'loci_';
const dayMs = 24 * 60 * 60 * 1000;

export function newToken(): string {
  return tokenPrefix + randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: what is stored, and what caches are keyed by. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export type GrantRequest = Omit<ParsedInputOf<typeof createToken>, 'idempotency_key'>;

/** Makes a token and answers it, this once. Throws `conflict` for a name in use and `forbidden` for more than the caller may do. */
export async function makeToken(
  deps: UserDeps,
  request: GrantRequest,
  context: CallContext,
): Promise<OutputOf<typeof createToken>> {
  const token = newToken();
  return { ...(await grantToken(deps, hashOfToken(token), request, context)), token };
}

/** The same for a token whose hash alone is known here. */
export async function grantToken(
  deps: UserDeps,
  hash: string,
  request: GrantRequest,
  context: CallContext,
): Promise<ReturnType<typeof tokenToWords>> {
  const { name, expires_days: days } = request;
  if (/^\d+$/.test(name)) throw invalidField('name', 'must not be a number, which would be read as an id');
  refuseSecrets({ name });
  const scopes = scopesToGrant(request.scopes, context);
  const nowMs = deps.clock.now();
  return deps.database.write(context, async (trx) => {
    const user = await requestedUser(trx, request.user, context);
    const before = await tokenByName(trx, name);
    if (before !== null && before.revoked_at === null) {
      throw new LociError('conflict', `A token named '${name}' is valid: revoke it first, or take another name.`);
    }
    const token = {
      user_id: user.id,
      name,
      hash,
      scopes: scopes.join(' '),
      expires_at: days === undefined ? null : Math.round(nowMs + days * dayMs),
    };
    const id = await insertToken(trx, token, nowMs);
    return tokenToWords({ ...token, id, user: user.name, created_at: nowMs, last_used_at: null, revoked_at: null });
  });
}

export async function tokensOf(
  deps: UserDeps,
  { include_revoked: withRevoked, limit, offset }: ParsedInputOf<typeof listTokens>,
): Promise<OutputOf<typeof listTokens>> {
  const { tokens, total } = await tokenPage(deps.database.db, { withRevoked, limit, offset });
  return { tokens: tokens.map(tokenToWords), total, has_more: offset + tokens.length < total };
}

/** Ends a token; one that has ended stays as it is. Throws `not_found`. */
export async function endToken(
  deps: UserDeps,
  revoked: RevokedTokens,
  given: string,
  context: CallContext,
): Promise<OutputOf<typeof revokeToken>> {
  return deps.database.write(context, async (trx) => {
    const found = /^\d+$/.test(given) ? await tokenById(trx, Number(given)) : await tokenByName(trx, given);
    if (found === null)
      throw new LociError('not_found', `There is no token '${given}': \`loci token list\` shows them.`);
    revoked.add(found.hash);
    if (found.revoked_at === null) await markRevoked(trx, found.id, deps.clock.now());
    return tokenToWords((await tokenById(trx, found.id)) ?? found);
  });
}

/** What was asked for, if it means something and the caller holds it; nothing asked for means all. */
function scopesToGrant(given: readonly string[] | undefined, { scopes: held }: CallContext): string[] {
  const text = (given ?? []).join(' ');
  const [unknown] = unknownScopes(text);
  if (unknown !== undefined) {
    throw invalidField('scopes', `\`${unknown}\` is no scope: there are ${scopeWords.join(', ')}.`);
  }
  const wanted = readScopes(text);
  if (wanted.length === 0) {
    if (given !== undefined && given.length > 0) throw invalidField('scopes', 'must name at least one scope');
    return held.includes('*') ? ['*'] : [...held];
  }
  const beyond = wanted.find((scope) => !isWithin(scope, held));
  if (beyond !== undefined) {
    throw new LociError('forbidden', `A token cannot grant '${beyond}', which you do not hold yourself.`, {
      scopes: `\`${beyond}\` is more than you hold`,
    });
  }
  return wanted;
}

async function requestedUser(
  trx: Parameters<typeof userById>[0],
  given: string | undefined,
  { userId }: CallContext,
): Promise<User> {
  const user =
    given === undefined
      ? await userById(trx, userId)
      : /^\d+$/.test(given)
        ? await userById(trx, Number(given))
        : await userByName(trx, given.trim());
  if (user !== null) return user;
  throw new LociError('not_found', `There is no user '${given ?? userId}': \`loci user add\` makes one.`, {
    user: 'does not exist',
  });
}

export function tokenToWords(row: NamedToken) {
  const { id, name, user_id, user } = row;
  const at = (ms: number | null): string | null => (ms === null ? null : toUtc(ms));
  return {
    id,
    name,
    user_id,
    user,
    scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
    created_at: toUtc(row.created_at),
    expires_at: at(row.expires_at),
    last_used_at: at(row.last_used_at),
    revoked_at: at(row.revoked_at),
  };
}
