// What PostgreSQL refuses becomes what a caller can act on, by its SQLSTATE; the rest stays as it is and is logged whole as `internal`.
import { LociError } from '#shared/errors.ts';
import { removedMeanwhile } from '../sqlite-errors.ts';

export const away =
  'The team database cannot be reached: nothing was changed as far as is known. Try again in a moment.';

/** SQLSTATE, or its class (https://www.postgresql.org/docs/15/errcodes-appendix.html), to the sentence that says what to do. */
const causes: Readonly<Record<string, string>> = {
  '08': away,
  '57P': away,
  '25P03': 'The team database gave this change up because it stood still too long: nothing was changed. Try again.',
  '28': 'The team database refuses the user or the password of `storage.url`: mend the setting.',
  '3D': 'The database that `storage.url` names does not exist: create it, or mend the setting.',
  '42501': 'The user of `storage.url` may not do this in the team database: grant it, or name another user.',
  '40': 'Another change was in the way: nothing was changed. Try again.',
  '55P03': 'Other daemons write to the team database and did not end in time: nothing was changed. Try again.',
  '57014': 'The team database took too long: nothing was changed. Try again.',
  '53100': 'The disk of the team database is full: nothing was changed. Free some space there and try again.',
  '53': 'The team database has too many connections or too little memory: nothing was changed. Try again.',
  '58': 'The team database cannot read or write its disk: nothing was changed. Check it and try again.',
};

/** Codes of Node's sockets, and what pg says without any code. */
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT)/;
const networkWords =
  /connection terminated|timeout expired|query read timeout|connection is closed|not queryable|connection ended|has been discarded/i;

/** A `LociError` for an error of the driver that has a known cause; anything else unchanged. */
export function postgresProblem(error: unknown): unknown {
  if (error instanceof LociError || !(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (code === '23503') return new LociError('conflict', removedMeanwhile, {});
  if (isAway(error)) return new LociError('unavailable', away, { cause: 'postgres_away' });
  if (typeof code !== 'string') return error;
  const cause = Object.entries(causes)
    .sort(([a], [b]) => b.length - a.length)
    .find(([prefix]) => code.startsWith(prefix));
  return cause === undefined ? error : new LociError('unavailable', cause[1], { cause: `postgres_${code}` });
}

/** Whether the connection is lost, so that a question may be asked again over a new one. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return networkCodes.test(code) || /^(08|57P)/.test(code);
  return networkWords.test(error.message);
}
