// Changes a JSON file that a person wrote, byte by byte: comments, trailing commas, indentation, line ends and the byte order mark stay as
// they are, because only the text of what is set or removed is touched. jsonc-parser reads and applies; its own `modify` reformats the
// lines around a change and moves a comment behind the property that follows it, so where to cut is decided here.
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { LociError } from '#shared/errors.ts';
import type { Json } from './edit.ts';

export type Jsonc = { readonly text: string; readonly root: Node | undefined; readonly value: Json | undefined };

type Path = readonly (string | number)[];

/** Of jsonc-parser's scanner. */
const [comma, lineComment, blockComment, lineBreak, spaces, endOfFile] = [5, 12, 13, 14, 15, 17];

/** The text that was read last: an edit looks at it several times, and an agent's file of state may weigh megabytes. */
let latest: Jsonc | undefined;

/** Reads a text without byte order mark. Throws `invalid_input` for what does not parse and for keys that stand twice. */
export function readJsonc(given: string): Jsonc {
  const text = given.replace(/^\uFEFF/, '');
  if (latest?.text === text) return latest;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) refuse(`is not valid JSON at line ${lineOf(text, error.offset)}`);
  if (root !== undefined && root.type !== 'object') refuse('holds no JSON object');
  if (root !== undefined) refuseDoubles(root, text);
  latest = { text, root, value: root === undefined ? undefined : (getNodeValue(root) as Json) };
  return latest;
}

/** The value at a path, or undefined. */
export function valueAt(text: string, path: Path): Json | undefined {
  const { root } = readJsonc(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  return node === undefined ? undefined : (getNodeValue(node) as Json);
}

/** Sets the property at a path and makes the objects above it. Throws `conflict` where something else than an object is in the way. */
export function setValue(given: string, path: readonly string[], value: Json): string {
  const { text, root } = readJsonc(given);
  const style = styleOf(text, root);
  if (root === undefined) return text + startOf(text, style) + print(nested(path, value), '', style) + style.eol;
  for (let depth = 0; depth < path.length; depth += 1) {
    const container = findNodeAtLocation(root, path.slice(0, depth));
    if (container?.type !== 'object') refuse(`holds no object at \`${path.slice(0, depth).join('.')}\``, 'conflict');
    if (findNodeAtLocation(root, path.slice(0, depth + 1)) !== undefined) continue;
    const [key = '', ...below] = path.slice(depth);
    return insert(text, root, container, style, { key, value: nested(below, value) });
  }
  const node = findNodeAtLocation(root, [...path]);
  return node === undefined ? text : replace(text, node, value, style);
}

/** Appends to the array at a path, which is made where there is none. Throws `conflict` where something else is there. */
export function appendElement(given: string, path: readonly string[], value: Json): string {
  const { text, root } = readJsonc(given);
  const array = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (root === undefined || array === undefined) return setValue(text, path, [value]);
  if (array.type !== 'array') refuse(`holds no list at \`${path.join('.')}\``, 'conflict');
  return insert(text, root, array, styleOf(text, root), { value });
}

/** Replaces the value at a path that exists. */
export function replaceAt(given: string, path: Path, value: Json): string {
  const { text, root } = readJsonc(given);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  return node === undefined ? text : replace(text, node, value, styleOf(text, root));
}

/** Removes a property or element, and those above it that this leaves empty, down to but not including the first `keep` of the path. */
export function removeAt(given: string, path: Path, keep: number): string {
  const { text, root } = readJsonc(given);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (node === undefined) return text;
  const after = remove(text, node);
  const above = path.slice(0, -1);
  const container = above.length === 0 ? undefined : findNodeAtLocation(readJsonc(after).root ?? node, [...above]);
  if (container === undefined || above.length <= keep || (container.children ?? []).length > 0) return after;
  return containsComment(after, container) ? after : removeAt(after, above, keep);
}

type Style = { readonly eol: string; readonly unit: string };

function styleOf(text: string, root: Node | undefined): Style {
  const first = root?.children?.[0];
  const indent = first === undefined ? '' : (indentBefore(text, first.offset) ?? '');
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: indent === '' ? '  ' : indent };
}

/** What stands before a place on its line when that is whitespace alone, else null. */
function indentBefore(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(line) ? line : null;
}

function insert(
  text: string,
  root: Node,
  container: Node,
  style: Style,
  { key, value }: { key?: string; value: Json },
): string {
  const last = container.children?.at(-1);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const isOneLine = !textOf(text, container).includes('\n');
  const isCompact = isOneLine && (last !== undefined || (!textOf(text, root).includes('\n') && root !== container));
  const edits: Edit[] = [];
  const trailing = last === undefined ? undefined : commaAfter(text, endOf(last));
  if (last !== undefined && trailing === undefined) edits.push({ offset: endOf(last), length: 0, content: ',' });
  const tail = trailing === undefined ? '' : ',';
  if (isCompact) {
    const offset = trailing === undefined ? (last === undefined ? container.offset + 1 : endOf(last)) : trailing + 1;
    const gap = last === undefined ? '' : ' ';
    edits.push({ offset, length: 0, content: `${gap}${name}${JSON.stringify(value)}${tail}` });
  } else {
    const indent = childIndent(text, container, style);
    const content = `${style.eol}${indent}${name}${print(value, indent, style)}${tail}`;
    const start = trailing === undefined ? (last === undefined ? container.offset + 1 : endOf(last)) : trailing + 1;
    edits.push(...blockEdits(text, container, style, { start, isFirst: last === undefined, content }));
  }
  return applyEdits(text, edits);
}

/** The new lines go behind the comments of what stands before them, and the closing bracket onto a line of its own. */
function blockEdits(
  text: string,
  container: Node,
  { eol }: Style,
  { start, isFirst, content }: { start: number; isFirst: boolean; content: string },
): Edit[] {
  const close = endOf(container) - 1;
  const offset = isFirst ? start + text.slice(start, close).trimEnd().length : endOfComments(text, start);
  const rest = text.slice(offset, close);
  const closing = /^\s*$/.test(rest) && !rest.includes('\n') ? `${eol}${lineIndent(text, container.offset)}` : '';
  return [{ offset, length: closing === '' ? 0 : rest.length, content: `${content}${closing}` }];
}

function childIndent(text: string, container: Node, { unit }: Style): string {
  const last = container.children?.at(-1);
  const own = last === undefined ? null : indentBefore(text, last.offset);
  return own ?? `${lineIndent(text, container.offset)}${unit}`;
}

/** The whitespace that begins the line of a place. */
function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function replace(text: string, node: Node, value: Json, style: Style): string {
  const isFlat = typeof value !== 'object' || !text.trim().includes('\n');
  const content = isFlat ? JSON.stringify(value) : print(value, lineIndent(text, node.offset), style);
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

function remove(text: string, node: Node): string {
  const child = node.parent?.type === 'property' ? node.parent : node;
  const container = child.parent;
  if (container === undefined) return text;
  const siblings = container.children ?? [];
  const index = siblings.indexOf(child);
  const before = siblings[index - 1];
  const own = commaAfter(text, endOf(child));
  const lead = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, child.offset))?.[0].length ?? 0;
  const edits: Edit[] = [{ offset: child.offset - lead, length: child.length + lead, content: '' }];
  if (own !== undefined) edits.push({ offset: own, length: 1, content: '' });
  else if (before !== undefined) {
    const previous = commaAfter(text, endOf(before));
    if (previous !== undefined) edits.unshift({ offset: previous, length: 1, content: '' });
  }
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const isAlone = siblings.length === 1 && applyEdits(text.slice(0, close), edits).slice(open).trim() === '';
  if (isAlone) return applyEdits(text, [{ offset: open, length: close - open, content: '' }]);
  return applyEdits(text, edits);
}

/** Where the comma behind a place is, if the next thing but comments is one. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  for (let kind = scanner.scan() as number; kind !== endOfFile; kind = scanner.scan() as number) {
    if (kind === comma) return scanner.getTokenOffset();
    if (![lineComment, blockComment, lineBreak, spaces].includes(kind)) return undefined;
  }
  return undefined;
}

/** The end of the comments that begin on the line of a place. */
function endOfComments(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (let kind = scanner.scan() as number; kind !== endOfFile; kind = scanner.scan() as number) {
    if (kind === lineComment || kind === blockComment) end = scanner.getTokenOffset() + scanner.getTokenLength();
    else if (kind !== spaces) return end;
  }
  return end;
}

function containsComment(text: string, node: Node): boolean {
  return /\S/.test(text.slice(node.offset + 1, endOf(node) - 1));
}

function print(value: Json, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((below, key) => ({ [key]: below }), value);
}

/** A text without any value may hold comments. */
function startOf(text: string, { eol }: Style): string {
  return text.trim() === '' || text.endsWith('\n') ? '' : eol;
}

function refuseDoubles(node: Node, text: string): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    if (key !== undefined) {
      if (names.has(key.value))
        refuse(`has the key ${JSON.stringify(key.value)} twice, at line ${lineOf(text, key.offset)}`);
      names.add(key.value);
    }
    if (value !== undefined) refuseDoubles(value, text);
  }
}

function refuse(why: string, code: 'invalid_input' | 'conflict' = 'invalid_input'): never {
  throw new LociError(code, why);
}

const endOf = (node: Node): number => node.offset + node.length;
const textOf = (text: string, node: Node): string => text.slice(node.offset, endOf(node));
const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
