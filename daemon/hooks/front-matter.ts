// The head of a memory file as agents write it: YAML in name, but with sentences that YAML would refuse (`description: note: see below`).
// So each line is read for what its writer meant: the first `: ` ends the key, the rest is its text. Anchors, aliases and tags are text like
// any other, so that nothing can be multiplied or made up; nesting is read to a few levels and a few hundred lines.

export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue };
export type Fields = Readonly<Record<string, FieldValue>>;
export type FrontMatter = { readonly fields: Fields; readonly body: string };

const maxLines = 500;
const maxLevels = 8;
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A file without a head has no fields and is all body. A byte order mark and CR line ends are taken for what they are. */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const close =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) : -1;
  if (close === -1 || close > maxLines) return { fields: {}, body: lines.join('\n') };
  const head = lines.slice(1, close).filter((line) => !/^\s*#/.test(line));
  return { fields: readMapping({ lines: head, at: 0 }, 0, 0), body: lines.slice(close + 1).join('\n') };
}

type Cursor = { readonly lines: readonly string[]; at: number };

const keyLine = /^(\s*)("[^"]*"|'[^']*'|[^\s:#-][^:]*?)\s*:(?:\s+(.*)|)$/;

function readMapping(cursor: Cursor, indent: number, level: number): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {};
  while (cursor.at < cursor.lines.length) {
    const line = cursor.lines[cursor.at] ?? '';
    const found = keyLine.exec(line);
    if (line.trim() !== '' && indentOf(line) < indent) break;
    cursor.at += 1;
    if (found === null || indentOf(line) > indent) continue; // belongs to nothing: a line that its writer misplaced
    const key = String(scalarOf(found[2] ?? '', true));
    const value = readValue(cursor, (found[3] ?? '').trim(), indent, level);
    if (!unsafeNames.has(key)) fields[key] = value;
  }
  return fields;
}

function readValue(cursor: Cursor, inline: string, indent: number, level: number): FieldValue {
  const block = /^([|>])[+-]?\d?$/.exec(inline);
  if (block !== null) return readBlock(cursor, indent, block[1] === '>');
  if (inline !== '') return inlineValue(inline, continuation(cursor, inline, indent));
  const next = cursor.lines.slice(cursor.at).find((line) => line.trim() !== '') ?? '';
  if (/^\s*- ?/.test(next) && indentOf(next) >= indent) return readList(cursor, indentOf(next));
  if (indentOf(next) > indent && keyLine.test(next) && level < maxLevels)
    return readMapping(cursor, indentOf(next), level + 1);
  return null;
}

/** A plain sentence may go on in the next, deeper lines. */
function continuation(cursor: Cursor, inline: string, indent: number): string {
  let text = inline;
  while (cursor.at < cursor.lines.length && !/^["'[{]/.test(inline)) {
    const line = cursor.lines[cursor.at] ?? '';
    if (line.trim() === '' || indentOf(line) <= indent) break;
    text += ` ${line.trim()}`;
    cursor.at += 1;
  }
  return text;
}

function readBlock(cursor: Cursor, indent: number, isFolded: boolean): string {
  const taken: string[] = [];
  while (cursor.at < cursor.lines.length) {
    const line = cursor.lines[cursor.at] ?? '';
    if (line.trim() !== '' && indentOf(line) <= indent) break;
    taken.push(line);
    cursor.at += 1;
  }
  const inner = Math.min(...taken.filter((line) => line.trim() !== '').map(indentOf));
  const lines = taken
    .map((line) => line.slice(inner))
    .join('\n')
    .trimEnd();
  return isFolded ? lines.replace(/([^\n])\n(?=[^\n])/g, '$1 ') : lines;
}

function readList(cursor: Cursor, indent: number): FieldValue[] {
  const items: FieldValue[] = [];
  while (cursor.at < cursor.lines.length) {
    const line = cursor.lines[cursor.at] ?? '';
    if (line.trim() !== '' && (indentOf(line) < indent || !/^\s*-(?:\s|$)/.test(line))) break;
    cursor.at += 1;
    const item = line.replace(/^\s*-\s*/, '').trim();
    if (item !== '') items.push(inlineValue(item, item));
  }
  return items;
}

function inlineValue(inline: string, whole: string): FieldValue {
  if (/^\[.*\]$/s.test(inline)) {
    const inside = inline.slice(1, -1).trim();
    const members = inside.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+/g) ?? [];
    return members.map((member) => scalarOf(member.trim(), false)).filter((member) => member !== '');
  }
  return scalarOf(whole, false);
}

function scalarOf(text: string, isKey: boolean): string | number | boolean | null {
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/s.exec(text);
  if (double !== null) return unescaped(double[1] ?? '');
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/s.exec(text);
  if (single !== null) return (single[1] ?? '').replaceAll("''", "'");
  const plain = text.replace(/\s+#\s.*$/s, '').trim();
  if (isKey) return plain;
  if (plain === 'true' || plain === 'false') return plain === 'true';
  if (plain === 'null' || plain === '~' || plain === '') return null;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(plain) ? Number(plain) : plain;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', '"': '"', '\\': '\\', '/': '/' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, code: string | undefined, char: string | undefined) =>
    code === undefined ? (escapes[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
