// Values of the top level that are a sentence to a person and no YAML: `description: Use for logs. Keywords: tail, grep`.
// They are quoted, continuation lines folded in; every line keeps its number, so that a later problem is still named by its line.

const entry = /^([A-Za-z0-9_-]+):[ \t]+(\S.*?)[ \t]*\r?$/;

export function quoteLooseValues(front: string): string {
  const lines = front.split('\n');
  const quoted: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const [, key, value] = entry.exec(lines[at] ?? '') ?? [];
    const length = 1 + continuationsAfter(lines, at);
    const parts = [value ?? '', ...lines.slice(at + 1, at + length).map((line) => line.trim())];
    const whole = parts.filter((part) => part !== '').join(' ');
    if (key !== undefined && isLoose(whole)) {
      quoted.push(`${key}: ${JSON.stringify(whole)}`, ...Array<string>(length - 1).fill(''));
    } else quoted.push(...lines.slice(at, at + length));
    at += length;
  }
  return quoted.join('\n');
}

/** Indented lines that go on with the entry. */
function continuationsAfter(lines: readonly string[], at: number): number {
  let count = 0;
  while (/^[ \t]+\S/.test(lines[at + 1 + count] ?? '')) count += 1;
  return count;
}

/** A plain value that strict YAML stumbles over. What is quoted, a block, or a list in brackets already means what it says. */
function isLoose(value: string): boolean {
  if (/^(["']|[|>][+-]?\d?$|[|>][+-]?\d? )/.test(value)) return false;
  if (/^\[.*\]$|^\{.*\}$/s.test(value)) return false;
  // an alias or a tag is refused as such, not taken for text
  if (/^[*&!]\S/.test(value)) return false;
  return /:(\s|$)|^[@`%[\]{},]/.test(value);
}
