// The one place that reads scopes. Every surface asks here, so that a token which may not save over REST may not save over MCP either.
// What is not understood grants nothing: a token of unknown words alone is a token without rights, never one with all.
import type { Scope } from '#shared/contract/operation.ts';
import { scopeWords } from '#shared/contract/scopes.ts';

/** Whether a caller that holds `granted` may do what needs `needed`. `*` is all; `read` covers every `read:<kind>`; nothing but `*` and `admin` covers `admin`. */
export function isAllowed(granted: readonly string[], needed: Scope): boolean {
  return granted.some((scope) => covers(scope, needed));
}

/** The known words of a text that separates them by spaces or commas, in any case, each once. */
export function readScopes(text: string): string[] {
  const words = wordsOf(text).filter((word) => scopeWords.includes(word));
  return [...new Set(words)];
}

/** The words of a text that are no scope. */
export function unknownScopes(text: string): string[] {
  return wordsOf(text).filter((word) => !scopeWords.includes(word));
}

/** What both grant: of two scopes the narrower one, where one covers the other. */
export function narrowScopes(granted: readonly string[], ceiling: readonly string[]): string[] {
  const both = granted.flatMap((scope) =>
    ceiling.flatMap((limit) => (covers(limit, scope) ? [scope] : covers(scope, limit) ? [limit] : [])),
  );
  return [...new Set(both)];
}

/** Whether everything that `scope` grants is granted by `granted` too. */
export function isWithin(scope: string, granted: readonly string[]): boolean {
  return granted.some((held) => covers(held, scope));
}

/**
 * Each user's `*` is all that is their own. The whole store, with everybody's data in its backups and its jobs, is the first user's alone
 * unless `admin` was granted by name.
 */
export function scopesOfUser(scopes: readonly string[], isOwner: boolean): string[] {
  if (isOwner) return [...scopes];
  return [...new Set(scopes.flatMap((scope) => (scope === '*' ? ['read', 'write'] : [scope])))];
}

function covers(held: string, wanted: string): boolean {
  return held === '*' || held === wanted || ((held === 'read' || held === 'write') && wanted.startsWith(`${held}:`));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}
