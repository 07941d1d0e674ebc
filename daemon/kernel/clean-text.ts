// Rule 4 of the contract: no text enters the store that would damage it or hide in it. NUL cuts texts in C libraries and breaks the
// keyword index, half of a surrogate pair makes every later reply unreadable to strict clients, and characters of the Tags block
// are invisible to people but not to models. Names that reach an object's prototype are refused wherever they stand.
import { refusedField } from './refusals.ts';

/** How deep a value may nest. */
const maxDepth = 64;

/** How many values, nested ones counted, one call may hold: a megabyte of `0,0,0,` would else keep everybody waiting for seconds. */
const maxValues = 500_000;

/** The steps from the arguments to a value inside them. */
export type Path = readonly (string | number)[];

/** A walk's place, as one stack that is turned into words only when something is refused, and how much it has seen. */
type Walk = { readonly path: (string | number)[]; values: number };

/** A copy without Tags-block characters. Throws `invalid_input` naming the field for NUL, lone surrogates, `__proto__`, depth and number. `path` leads to the value. */
export function cleanText(value: unknown, path: Path = []): unknown {
  return clean(value, { path: [...path], values: 0 });
}

function clean(value: unknown, walk: Walk): unknown {
  const { path } = walk;
  walk.values += 1;
  if (walk.values > maxValues) throw refusedField(path.slice(0, 1), `must not hold more than ${maxValues} values`);
  if (typeof value === 'string') return cleanString(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= maxDepth) throw refusedField(path.slice(0, 1), `must not nest deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return value.map((member: unknown, index) => within(walk, index, member));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '__proto__') throw refusedField([...path, key], 'is a name that no field may have');
      return [cleanString(key, path), within(walk, key, member)];
    }),
  );
}

function within(walk: Walk, step: string | number, member: unknown): unknown {
  walk.path.push(step);
  const cleaned = clean(member, walk);
  walk.path.pop();
  return cleaned;
}

function cleanString(value: string, path: Path): string {
  if (value.includes('\u0000')) throw refusedField(path, 'must not hold the character NUL (U+0000)');
  if (!value.isWellFormed()) {
    throw refusedField(path, 'must be well-formed Unicode: it holds half of a surrogate pair');
  }
  return value.replace(/[\u{E0000}-\u{E007F}]/gu, '');
}
