// Tokens that tell what they are: a prefix of the issuer's and a body of known alphabet and length. Each pattern begins at a
// boundary and its repetitions are of one character class, so a text is read once, whatever it holds (no backtracking).

export type TokenRule = {
  /** What the refusal calls it. */
  readonly kind: string;
  readonly pattern: RegExp;
};

/** Not in the middle of a longer word: base64 of a picture holds every short prefix somewhere. */
const start = '(?<![A-Za-z0-9])';

/** After the body, where the body has one length: a longer word is something else. */
export const end = '(?![A-Za-z0-9])';

/** Before a prefix that names of caches and branches also hold (`npm-key-…`). */
export const alone = '(?<![A-Za-z0-9_.-])';

/** Before a body of letters and digits: one of its first twenty is a digit, or it is a name in camel case. */
export const digitSoon = '(?=[A-Za-z]{0,20}[0-9])';

/** A rule of several shapes, each of which begins at a boundary. */
export function rule(kind: string, ...bodies: readonly string[]): TokenRule {
  return { kind, pattern: new RegExp(`${start}(?:${bodies.join('|')})`, 'g') };
}
