// Who may call: users and the tokens that stand for them. A token is shown once, when it is made; what is kept is its hash.
import { z } from 'zod';
import { id, requiredText, text, utc } from './common.ts';
import { additiveHints, defineContract, readOnlyHints, updateHints } from './operation.ts';

const name = requiredText(100);
const idempotencyKey = text(200).optional();

const user = z.object({
  id,
  name: z.string(),
  email: z.string().nullable(),
  notes: z.string().nullable(),
  /** True for one that came with a token of an issuer. */
  external: z.boolean(),
  created_at: utc,
});

export const createUser = defineContract({
  name: 'create_user',
  title: 'Add a user',
  description:
    'Add a user to this store. Users see nothing of each other. Make them a token with create_token; users who come with a token of an issuer are added by themselves.',
  category: 'admin',
  input: z.strictObject({
    name: name.describe('unique'),
    email: text(320).nullable().optional(),
    notes: text(20_000).nullable().optional(),
    idempotency_key: idempotencyKey,
  }),
  output: user,
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/users', created: () => true }],
  cli: { command: 'user add', positional: ['name'] },
});

export const listUsers = defineContract({
  name: 'list_users',
  title: 'List users',
  description: 'List the users of this store, oldest first.',
  category: 'admin',
  input: z.strictObject({
    limit: z.int().min(1).max(1000).default(100),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({ users: z.array(user), total: z.int(), has_more: z.boolean() }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/users' }],
  cli: { command: 'user list', flags: { n: 'limit' } },
});

const token = z.object({
  id,
  name: z.string(),
  user_id: id,
  user: z.string(),
  scopes: z.array(z.string()),
  created_at: utc,
  expires_at: utc.nullable(),
  last_used_at: utc.nullable(),
  revoked_at: utc.nullable(),
});

export const createToken = defineContract({
  name: 'create_token',
  title: 'Create a token',
  description:
    'Create a bearer token for a user, a script or an agent elsewhere. It is shown in this answer alone. Grant no more than it needs: `read`, `write`, `read:memories`, `write:projects`, `admin` or `*`.',
  category: 'admin',
  input: z.strictObject({
    name: name.describe('what it is for; unique among the tokens that are valid'),
    user: requiredText(100).optional().describe('name or id of whom it stands for; default: you'),
    scopes: z.array(text(400)).max(50).optional().describe('what it may do; default: all of its user'),
    expires_days: z.number().min(0.0001).max(36_500).optional().describe('default: never'),
    idempotency_key: idempotencyKey,
  }),
  output: token.extend({ token: z.string() }),
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/tokens', created: () => true }],
  cli: { command: 'token create', positional: ['name'], flags: { scope: 'scopes' } },
  examples: [{ name: 'ci', scopes: ['read'], expires_days: 90 }],
  answerIsSecret: true,
});

export const listTokens = defineContract({
  name: 'list_tokens',
  title: 'List tokens',
  description: 'List the tokens that were created, newest first: name, user, scopes, last use. Never the token itself.',
  category: 'admin',
  input: z.strictObject({
    include_revoked: z.boolean().default(false),
    limit: z.int().min(1).max(1000).default(100),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({ tokens: z.array(token), total: z.int(), has_more: z.boolean() }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/tokens' }],
  cli: { command: 'token list', flags: { all: 'include_revoked', n: 'limit' } },
});

export const revokeToken = defineContract({
  name: 'revoke_token',
  title: 'Revoke a token',
  description: 'End a token at once: its next call is refused, its open connections are closed.',
  category: 'admin',
  input: z.strictObject({
    id_or_name: requiredText(100).describe('not the token itself'),
    idempotency_key: idempotencyKey,
  }),
  output: token,
  hints: updateHints,
  scope: 'admin',
  http: [{ method: 'DELETE', path: '/api/v1/tokens/:id_or_name' }],
  cli: { command: 'token revoke', positional: ['id_or_name...'] },
});

export const approveLogin = defineContract({
  name: 'approve_login',
  title: 'Approve a login',
  description:
    'Let in a client elsewhere that began `loci auth login` and shows this code: its token becomes valid. Approve only a code that you read off its screen.',
  category: 'admin',
  input: z.strictObject({
    code: requiredText(20),
    name: name.optional().describe('of the token; default: login and the code'),
    user: requiredText(100).optional().describe('name or id of whom it stands for; default: you'),
    scopes: z.array(text(400)).max(50).optional().describe('what it may do; default: all of its user'),
    expires_days: z.number().min(0.0001).max(36_500).optional().describe('default: never'),
    idempotency_key: idempotencyKey,
  }),
  output: token,
  hints: additiveHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/auth/approve' }],
  cli: { command: 'auth approve', positional: ['code'], flags: { scope: 'scopes' } },
});

export const getAuthInfo = defineContract({
  name: 'get_auth_info',
  title: 'Ways to log in',
  description: 'Tell how clients prove who they are here: by tokens of this store alone, or by those of an issuer too.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({
    authEnabled: z.boolean(),
    authMode: z.enum(['disabled', 'jwt']),
    oauthProviders: z.array(z.string()),
    loginUrl: z.string().nullable(),
  }),
  hints: readOnlyHints,
  scope: 'read:users',
  http: [{ method: 'GET', path: '/api/v1/auth/info' }],
});

export const accessContracts = [
  createUser,
  listUsers,
  createToken,
  listTokens,
  revokeToken,
  approveLogin,
  getAuthInfo,
] as const;
