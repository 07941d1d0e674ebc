import type { CallContext } from '#daemon/kernel/context.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import { thingScopes } from '#shared/contract/scopes.ts';
import { LociError } from '#shared/errors.ts';

/** Users and the log of changes are no part of an export; a kind that is added later is. */
const kinds = thingScopes.filter((kind) => kind !== 'users' && kind !== 'activity');

/** Throws `forbidden` for a caller who may not read (or write) every kind that an export holds: half of it would pass for the whole. */
export function requireAll(action: 'read' | 'write', what: string, context: CallContext): void {
  const missing = kinds.find((kind) => !isAllowed(context.scopes, `${action}:${kind}`));
  if (missing === undefined) return;
  throw new LociError('forbidden', `'${what}' is not permitted: it needs the scope '${action}:${missing}'.`);
}
