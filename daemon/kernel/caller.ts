import { LociError } from '#shared/errors.ts';

/** Whom a call is made for, and what it may do. */
export type Caller = {
  readonly userId: number;
  readonly scopes: readonly string[];
  /** Aborted when the right to call ends (revoked, expired): what is still open then, a stream or a connection, has to close. */
  readonly ended?: AbortSignal;
};

/** The caller a token stands for, or null for a token that is not valid. Must compare in constant time. */
export type CallerOf = (token: string) => Caller | null | Promise<Caller | null>;

/** The user of this machine: the first row of the users. */
export const ownerId = 1;

/** Whoever reaches the Unix socket: its file's permission has proved the owner. */
export const owner: Caller = { userId: ownerId, scopes: ['*'] };

/** Files of this machine are its own user's: whoever else keeps memories here may have none of them read or replaced. Throws `forbidden`. */
export function requireOwner({ userId }: Pick<Caller, 'userId'>): void {
  if (userId === ownerId) return;
  throw new LociError('forbidden', 'Files of this machine are read and written for its own user alone.');
}

/** Whether a text has the shape of a token that was created here or by an issuer: any other is refused without asking the store. */
export function isTokenShaped(text: string): boolean {
  return /^loci_[A-Za-z0-9_-]{43}$/.test(text) || isJwtShaped(text);
}

/** Three parts of base64url between dots. */
export function isJwtShaped(text: string): boolean {
  return text.length <= 16_384 && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(text);
}
