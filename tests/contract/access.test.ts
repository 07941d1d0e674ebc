// Users and tokens, on every surface.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const has = (fields: object) => ({ output: expect.objectContaining(fields) });

const cases: SurfaceCase[] = [
  {
    name: 'a user is added once, and listed',
    volatile: ['created_at'], // of the first user: the clock of the migration
    steps: [
      {
        operation: 'create_user',
        input: { name: 'ana', email: 'ana@example.org' },
        gives: has({ id: 2, name: 'ana' }),
      },
      { operation: 'create_user', input: { name: 'ana' }, gives: { refused: 'conflict', field: 'name' } },
      { operation: 'create_user', input: { name: '42' }, gives: { refused: 'invalid_input', field: 'name' } },
      {
        operation: 'list_users',
        input: {},
        gives: has({
          users: [
            expect.objectContaining({ id: 1, name: 'local' }),
            expect.objectContaining({ id: 2, name: 'ana', email: 'ana@example.org', external: false }),
          ],
          total: 2,
          has_more: false,
        }),
      },
    ],
  },
  {
    name: 'a token is shown when it is made, listed without itself, and revoked by name or id',
    volatile: ['token'],
    steps: [
      {
        operation: 'create_token',
        input: { name: 'ci', scopes: ['read', 'write:memories read'], expires_days: 30 },
        gives: has({
          id: 1,
          name: 'ci',
          user_id: 1,
          scopes: ['read', 'write:memories'],
          token: expect.stringMatching(/^loci_[\w-]{43}$/),
          expires_at: '2026-02-04T09:00:00.000Z',
        }),
      },
      { operation: 'create_token', input: { name: 'ci' }, gives: { refused: 'conflict', says: /ci/ } },
      {
        operation: 'create_token',
        input: { name: 'x', scopes: ['read:everything'] },
        gives: { refused: 'invalid_input', field: 'scopes', says: /read:everything/ },
      },
      { operation: 'create_token', input: { name: 'x', user: 'nobody' }, gives: { refused: 'not_found' } },
      { operation: 'create_token', input: { name: 'all' }, gives: has({ id: 2, scopes: ['*'], expires_at: null }) },
      {
        operation: 'list_tokens',
        input: {},
        gives: {
          output: {
            tokens: [
              expect.not.objectContaining({ token: expect.anything() }),
              expect.objectContaining({ name: 'ci' }),
            ],
            total: 2,
            has_more: false,
          },
        },
      },
      {
        operation: 'revoke_token',
        input: { id_or_name: 'ci' },
        gives: has({ id: 1, revoked_at: '2026-01-05T09:00:00.000Z' }),
      },
      { operation: 'revoke_token', input: { id_or_name: '1' }, gives: has({ id: 1 }) },
      { operation: 'revoke_token', input: { id_or_name: 'no-such' }, gives: { refused: 'not_found' } },
      { operation: 'list_tokens', input: {}, gives: has({ total: 1 }) },
      { operation: 'list_tokens', input: { include_revoked: true }, gives: has({ total: 2 }) },
      { operation: 'create_token', input: { name: 'ci' }, gives: has({ id: 3 }) },
    ],
  },
  {
    name: 'a login is approved by a code that waits, and by no other; the ways to log in are told',
    steps: [
      {
        operation: 'approve_login',
        input: { code: 'BCDF-GHJK' },
        gives: { refused: 'not_found', says: /ten minutes/ },
      },
      {
        operation: 'get_auth_info',
        input: {},
        gives: { output: { authEnabled: false, authMode: 'disabled', oauthProviders: [], loginUrl: null } },
      },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
