// Where the statements of a TOML file begin and end. A line that looks like a header may stand in a text or list of several lines, so a
// pattern over lines is not enough; and a parser gives values, not places.

export type TomlStatement = {
  readonly kind: 'header' | 'pair';
  /** Path of the table for a header (also for `[[a.b]]`), of the key below its table for a pair. */
  readonly path: readonly string[];
  readonly start: number;
  /** Behind the line end. */
  readonly end: number;
};

/** The statements of a text that is valid TOML, in order; comments and blank lines are none. */
export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const blank = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
    blank.lastIndex = at;
    const skipped = blank.exec(text)?.[0];
    if (skipped !== undefined) {
      at += Math.max(1, skipped.length);
      continue;
    }
    at = endOfStatement(text, at);
    const statement = text.slice(start, at).trimStart();
    const isHeader = statement.startsWith('[');
    const name = isHeader ? statement.replace(/^\[\[?/, '') : statement;
    statements.push({ kind: isHeader ? 'header' : 'pair', path: keyPath(name), start, end: at });
  }
  return statements;
}

/** Reads a dotted key from the beginning of a text: `mcp_servers."a.b" = …` gives two names. */
function keyPath(text: string): string[] {
  const names: string[] = [];
  const part = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.)?/y;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    names.push(match[1] === undefined ? (match[2] ?? match[3] ?? '') : unescaped(match[1]));
    if (match[4] === undefined) break;
  }
  return names;
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

const quotes = ['"""', "'''", '"', "'"] as const;

/** Behind the line end that closes the statement: brackets are balanced and no text is open there. */
function endOfStatement(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const quote = quotes.find((one) => text.startsWith(one, at));
    const char = text[at];
    if (quote !== undefined) at = endOfText(text, at + quote.length, quote);
    else if (char === '#') at = lineEnd(text, at);
    else if (char === '\n' && depth === 0) return at + 1;
    else {
      if (char === '[' || char === '{') depth += 1;
      if (char === ']' || char === '}') depth -= 1;
      at += 1;
    }
  }
  return text.length;
}

function endOfText(text: string, start: number, quote: string): number {
  let at = start;
  while (at < text.length && !text.startsWith(quote, at)) at += quote.startsWith('"') && text[at] === '\\' ? 2 : 1;
  at += quote.length;
  // a long text may end in up to two more of its quotes
  while (quote.length === 3 && text[at] === quote[0]) at += 1;
  return Math.min(at, text.length);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
