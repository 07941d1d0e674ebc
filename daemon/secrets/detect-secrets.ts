// Memory outlives the session and is shown to other agents, backed up and searched: a credential in it is a leak with a long
// tail. Explicit saves that hold one are refused before anything reaches disk, log or index; where the secret lives is worth
// remembering, and the refusal says so. Values are matched, not mentions: "the password is in the vault" is a fine memory.
import { LociError } from '#shared/errors.ts';
import { contextSecrets } from './context-rules.ts';
import { looseSecrets } from './loose-rules.ts';
import { plainText } from './plain-text.ts';
import type { Found } from './secret-words.ts';
import { findTokens } from './token-rules.ts';

/** A stretch of a text that is a secret; `start` and `end` count UTF-16 units, `end` is exclusive. */
export type Secret = Found;

/** Names of agents, projects and tags come with every call: short texts in which nothing was found are known again. */
const clean = new Set<string>();
const longestKnown = 100;
const mostKnown = 1_000;

/** The secrets of a text in order, none overlapping another. Takes time in proportion to the text; never throws. */
export function findSecrets(given: string): Secret[] {
  if (clean.has(given)) return [];
  const secrets = readSecrets(given);
  if (secrets.length === 0 && given.length <= longestKnown) {
    if (clean.size >= mostKnown) clean.clear();
    clean.add(given);
  }
  return secrets;
}

function readSecrets(given: string): Secret[] {
  const { text, placeOf } = plainText(given);
  const found: Secret[] = findTokens(text);
  for (const secret of contextSecrets(text)) found.push(secret);
  for (const secret of looseSecrets(text)) found.push(secret);
  const secrets = withoutOverlaps(found);
  if (text === given) return secrets;
  return secrets.map(({ kind, start, end }) => ({ kind, start: placeOf(start), end: placeOf(end) }));
}

/** Throws `rejected_by_policy` naming the first field that holds a secret and its kind, never the value. */
export function refuseSecrets(fields: Readonly<Record<string, string | readonly string[] | null | undefined>>): void {
  for (const [field, value] of Object.entries(fields)) {
    for (const text of typeof value === 'string' ? [value] : (value ?? [])) {
      const [secret] = findSecrets(text);
      if (secret !== undefined) refuseFound(field, secret);
    }
  }
}

/** Says which field holds a secret and of what kind, never its value. */
export function refuseFound(field: string, { kind }: Secret): never {
  throw new LociError(
    'rejected_by_policy',
    `\`${field}\` looks as if it holds a secret (${kind}): record where the secret lives, such as a vault entry or the name of an environment variable, not the secret itself.`,
    { [field]: `looks like a secret (${kind})` },
  );
}

/** Sorted by place; of two that overlap the earlier one stays, grown to cover both. */
function withoutOverlaps(found: readonly Secret[]): Secret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Secret[] = [];
  for (const secret of sorted) {
    const last = kept.at(-1);
    if (last === undefined || secret.start >= last.end) kept.push(secret);
    else if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
  }
  return kept;
}
