import type { CallContext } from '#daemon/kernel/context.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import type { ThingScope } from '#shared/contract/scopes.ts';
import { LociError } from '#shared/errors.ts';

const kinds: readonly ThingScope[] = [
  'memories',
  'projects',
  'code_artifacts',
  'documents',
  'entities',
  'plans',
  'tasks',
  'files',
  'skills',
];

/** Throws `forbidden` for a caller who may not read (or write) every kind that an export holds: half of it would pass for the whole. */
export function requireAll(action: 'read' | 'write', what: string, context: CallContext): void {
  const missing = kinds.find((kind) => !isAllowed(context.scopes, `${action}:${kind}`));
  if (missing === undefined) return;
  throw new LociError('forbidden', `'${what}' is not permitted: it needs the scope '${action}:${missing}'.`);
}
