import { approveLogin, createToken, createUser, listTokens, listUsers, revokeToken } from '#shared/contract/access.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { ageOf } from './age.ts';
import { escapeLine } from './escape.ts';
import { type Renderer, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

type Token = OutputOf<typeof listTokens>['tokens'][number];

/** What is said of users and tokens. A new token is the whole of stdout, so that it can be put into a variable. */
export const accessRenderers: readonly (readonly [string, Renderer])[] = [
  rendererFor(createUser, ({ id, name }) => ({
    result: `user ${id}: ${escapeLine(name)}`,
    notices: [`\`loci token create NAME --user ${id}\` makes a token for them.`],
  })),
  rendererFor(listUsers, ({ users, total }, view) => ({
    result: table(
      [{ head: 'ID', align: 'right' }, { head: 'AGE', align: 'right' }, { head: 'NAME' }, { head: 'EMAIL' }],
      users.map(({ id, name, email, created_at }) => [String(id), ageOf(created_at, view.nowMs), name, email ?? '']),
      view,
    ),
    notices: users.length < total ? [`${users.length} of ${total} users.`] : [],
  })),
  rendererFor(createToken, ({ token, user, scopes, expires_at }) => ({
    result: token,
    notices: [
      `For ${escapeLine(user)}, may ${scopes.join(', ') || 'nothing'}, valid ${expires_at === null ? 'until it is revoked' : `until ${expires_at}`}. It is not shown again.`,
    ],
  })),
  rendererFor(listTokens, ({ tokens, total }, view) => ({
    result: tokens.length === 0 ? 'no tokens but the one that `loci token show` prints' : tokenTable(tokens, view),
    notices: tokens.length < total ? [`${tokens.length} of ${total} tokens.`] : [],
  })),
  rendererFor(approveLogin, ({ name, user, scopes }) => ({
    result: `approved: ${escapeLine(name)} for ${escapeLine(user)}, may ${scopes.join(', ') || 'nothing'}`,
  })),
  rendererFor(revokeToken, ({ name }) => ({ result: `revoked ${escapeLine(name)}` })),
];

function tokenTable(tokens: readonly Token[], view: View): string {
  return table(
    [
      { head: 'ID', align: 'right' },
      { head: 'NAME', paint: view.style.cyan },
      { head: 'USER' },
      { head: 'USED', align: 'right' },
      { head: 'VALID' },
      { head: 'MAY' },
    ],
    tokens.map((token) => [
      String(token.id),
      token.name,
      token.user,
      token.last_used_at === null ? 'never' : ageOf(token.last_used_at, view.nowMs),
      validity(token, view),
      token.scopes.join(' '),
    ]),
    view,
  );
}

function validity({ revoked_at, expires_at }: Token, view: View): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'yes';
  return Date.parse(expires_at) <= view.nowMs ? 'expired' : `until ${expires_at.slice(0, 10)}`;
}
