// Rule 4 of the contract: no text enters the store that would damage it or hide in it. NUL cuts texts in C libraries and breaks the
// keyword index, half of a surrogate pair makes every later reply unreadable to strict clients, and characters of the Tags block
// are invisible to people but not to models. Names that reach an object's prototype are refused wherever they stand.
import { isRecord } from './is-record.ts';
import { refusedField } from './refusals.ts';

/** How deep a value may nest. */
const maxDepth = 64;

/** A copy without Tags-block characters. Throws `invalid_input` naming the field for NUL, lone surrogates, `__proto__` and depth. */
export function cleanText(value: unknown, path: readonly string[] = []): unknown {
  return clean(value, [...path]);
}

/** `path` is one stack for the whole walk, turned into words only when something is refused. */
function clean(value: unknown, path: (string | number)[]): unknown {
  if (typeof value === 'string') return cleanString(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= maxDepth) throw refusedField(path.slice(0, 1), `must not nest deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return value.map((member: unknown, index) => within(path, index, member));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '__proto__') throw refusedField([...path, key], 'is a name that no field may have');
      return [cleanString(key, path), within(path, key, member)];
    }),
  );
}

function within(path: (string | number)[], step: string | number, member: unknown): unknown {
  path.push(step);
  const cleaned = clean(member, path);
  path.pop();
  return cleaned;
}

function cleanString(value: string, path: readonly (string | number)[]): string {
  if (value.includes('\u0000')) throw refusedField(path, 'must not hold the character NUL (U+0000)');
  if (!value.isWellFormed()) {
    throw refusedField(path, 'must be well-formed Unicode: it holds half of a surrogate pair');
  }
  return value.replace(/[\u{E0000}-\u{E007F}]/gu, '');
}
