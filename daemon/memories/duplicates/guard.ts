// Two texts may be near in meaning and yet say different things: "port 8080" and "port 8081", "do" and "do not".
// A model's cosine hardly sees it. This guard does: it forbids a merge where the two differ in a number, version, date, path,
// identifier, quoted string or negation (rule 7 of the contract).

const quoted = /"([^"\n]{1,200})"|'([^'\n]{1,200})'(?!\w)|`([^`\n]{1,200})`|«([^»\n]{1,200})»|“([^”\n]{1,200})”/gu;
const numbers = /[-+]?\d(?:[\d.,:/_-]*\d)?/g;
const words = /[\p{L}\p{N}_$#@./\\:+~-]+/gu;
const negation =
  /^(not|no|never|none|without|cannot|can't|cant|won't|wont|don't|dont|doesn't|doesnt|didn't|didnt|isn't|isnt|aren't|arent|wasn't|wasnt|weren't|shouldn't|shouldnt|mustn't|neither|nor|nothing|disable|disabled|disallow|forbid|forbidden|avoid|nicht|kein|keine|nie|ohne|pas|jamais|sans|sin|nunca|ne|non)$/u;

/** What a text asserts beyond its topic: the multiset of its numbers, identifiers, quotations and negations, as sorted texts. */
export function distinctions(text: string): string[] {
  const folded = text.normalize('NFKC');
  const found: string[] = [];
  for (const match of folded.matchAll(quoted)) found.push(`quote:${match.slice(1).find((part) => part !== undefined)}`);
  const bare = folded.replace(/[“”"«»`]/gu, ' ');
  for (const [number] of bare.matchAll(numbers)) found.push(`number:${number.replace(/[,_](?=\d{3}\b)/g, '')}`);
  for (const [word] of bare.matchAll(words)) {
    const trimmed = word.replace(/^[.:,]+(?=\w)|[.:,]+$/g, '');
    if (isIdentifier(trimmed)) found.push(`name:${trimmed}`);
  }
  for (const word of bare
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}']+/u)) {
    if (negation.test(word)) found.push('negation');
  }
  return found.sort();
}

/** Whether the two texts may be one memory: true when neither asserts a distinction that the other does not. */
export function guardAllows(a: string, b: string): boolean {
  const [left, right] = [distinctions(a), distinctions(b)];
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

/** Paths, dotted and scoped names, snake_case, camelCase, ALL_CAPS, flags, and words that mix letters and digits. */
function isIdentifier(word: string): boolean {
  if (word.length < 2 || /^[\d.,:/_-]+$/.test(word)) return false;
  return (
    /[\p{L}\p{N}][/\\._:@#]+[\p{L}\p{N}]/u.test(word) ||
    /^[~./\\]*[/\\]/.test(word) ||
    /^--?[\p{L}]/u.test(word) ||
    /_/.test(word) ||
    /\p{Ll}\p{Lu}/u.test(word) ||
    /^\p{Lu}{2,}$/u.test(word) ||
    (/\p{L}/u.test(word) && /\p{N}/u.test(word)) ||
    /[+#]$/.test(word)
  );
}
