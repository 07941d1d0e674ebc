// Users and tokens: words ↔ use-cases.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import {
  approveLogin,
  createToken,
  createUser,
  getAuthInfo,
  listTokens,
  listUsers,
  revokeToken,
} from '#shared/contract/access.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { UserDeps } from './deps.ts';
import type { Logins } from './logins.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { TokenCallers } from './token-callers.ts';
import { endToken, grantToken, makeToken, tokensOf } from './tokens.ts';
import { insertUser, type User, userByName, userPage } from './users.repository.ts';

export type AccessDeps = UserDeps & {
  readonly callers: Pick<TokenCallers, 'end'>;
  readonly revoked: RevokedTokens;
  readonly logins: Pick<Logins, 'take'>;
  readonly hasIssuer: boolean;
};

export function accessOperations(deps: AccessDeps): Operation[] {
  return [
    implement(createUser, async (input, context) => addUser(deps, input, context)),
    implement(listUsers, async ({ limit, offset }) => {
      const { users, total } = await userPage(deps.database.db, { limit, offset });
      return { users: users.map(userToWords), total, has_more: offset + users.length < total };
    }),
    implement(createToken, async ({ idempotency_key: _, ...request }, context) => makeToken(deps, request, context)),
    implement(listTokens, async (input) => tokensOf(deps, input)),
    implement(revokeToken, async ({ id_or_name: given }, context) => {
      const ended = await endToken(deps, deps.revoked, given, context);
      deps.callers.end(ended.id);
      return ended;
    }),
    implement(approveLogin, async ({ code, name, idempotency_key: _, ...grant }, context) => {
      const request = { ...grant, name: name ?? `login ${code.trim().toUpperCase()}` };
      return grantToken(deps, deps.logins.take(code), request, context);
    }),
    implement(getAuthInfo, async () => ({
      authEnabled: deps.hasIssuer,
      authMode: deps.hasIssuer ? ('jwt' as const) : ('disabled' as const),
      oauthProviders: [],
      loginUrl: null,
    })),
  ];
}

async function addUser(deps: UserDeps, input: ParsedInputOf<typeof createUser>, context: CallContext) {
  const name = input.name.trim();
  const { email = null, notes = null } = input;
  if (/^\d+$/.test(name)) throw invalidField('name', 'must not be a number, which would be read as an id');
  refuseSecrets({ name, email, notes });
  const nowMs = deps.clock.now();
  const log: ChangeRow[] = [];
  const answer = await deps.database.write(context, async (trx) => {
    if ((await userByName(trx, name)) !== null) {
      throw new LociError('conflict', `There is a user '${name}' already: take another name.`, { name: 'is taken' });
    }
    const added = await insertUser(trx, { name, email, notes, identity: null }, nowMs);
    const change = { kind: 'user', thingId: added.id, action: 'created', snapshot: { id: added.id, name } };
    log.push(...(await recordChanges(trx, context, deps.clock, [change])));
    return userToWords(added);
  });
  for (const row of log) deps.events.announce(changeToEvent(row));
  return answer;
}

function userToWords({ id, name, email, notes, identity, created_at }: User) {
  return { id, name, email, notes, external: identity !== null, created_at: toUtc(created_at) };
}
