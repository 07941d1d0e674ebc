// The door of the users room: whom a call is made for, and by which token.

export { createUsers, type Users } from './create-users.ts';
export { openRevokedTokens } from './revoked-tokens.ts';
