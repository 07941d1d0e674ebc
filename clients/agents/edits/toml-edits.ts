// Puts one table of ours, with those below it, into a TOML file as text. The file is never written from its parsed form, which would lose
// comments and order, and a second header of the same name would make the agent refuse the whole file: both are checked by parsing before
// and after.
import { parse, stringify } from 'smol-toml';
import { LociError } from '#shared/errors.ts';
import { isObject, isSame } from '../same.ts';
import type { Json, TableEdit } from './edit.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

export type TableTrace = {
  /** The table as it was before, as text; empty where there was none. */
  readonly before: string;
  readonly after: string;
};

type Table = { readonly [key: string]: Json };

/** Sets our keys in the table and keeps what else is in it. Throws `conflict` where the table is written in a form that is not ours to change. */
export function placeTable(
  given: string,
  edit: TableEdit,
  last: TableTrace | undefined,
): { text: string; trace: TableTrace } {
  const parsed = parseToml(given);
  const current = valueAt(parsed, edit.path);
  const found = ourText(given, edit.path);
  if (current !== undefined && found === '') {
    throw new LociError('conflict', `defines ${edit.path.join('.')} inline: take that out, and run the setup again`);
  }
  const isOurs = last !== undefined && last.after === found;
  const before = isOurs ? last.before : found;
  const base = isOurs ? takeOutTable(given, edit.path, { before, after: found }).text : given;
  const theirs = valueAt(parseToml(base), edit.path);
  const text = before === '' ? append(base, edit) : merge(base, edit, isObject(theirs) ? theirs : {});
  const same = isOurs && ourText(text, edit.path) === found ? given : text;
  refuseSpoiled(same, parsed, edit.path);
  return { text: same, trace: { before, after: ourText(same, edit.path) } };
}

export function takeOutTable(
  given: string,
  path: readonly string[],
  { before, after }: TableTrace,
): { text: string; isOut: boolean } {
  const ranges = rangesOf(given, path);
  const [first] = ranges;
  if (first === undefined) return { text: given, isOut: true };
  if (ourText(given, path) !== after) return { text: given, isOut: false };
  let text = given;
  for (const { start, end } of [...ranges].reverse()) {
    const isFirst = start === first.start;
    text = `${text.slice(0, start)}${isFirst ? before : ''}${text.slice(end)}`;
  }
  return { text: before === '' ? withoutGap(text, first.start) : text, isOut: true };
}

/** Throws `conflict` when something else than the table has changed, or the file is none any more. */
function refuseSpoiled(text: string, before: Table, path: readonly string[]): void {
  try {
    if (isSame(without(parse(text) as Table, path), without(before, path))) return;
  } catch {
    // said below
  }
  throw new LociError('conflict', `has no place for ${path.join('.')}: something else stands there`);
}

/** Parses, and turns what is wrong into a sentence that goes behind the file's name. */
function parseToml(text: string): Table {
  try {
    return parse(text) as Table;
  } catch {
    throw new LociError('invalid_input', 'is not valid TOML');
  }
}

/** The parts of the text that are the table: from its header to its last pair, and so for each table below it. */
function rangesOf(text: string, path: readonly string[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let isInside = false;
  for (const { kind, path: named, start, end } of tomlStatements(text)) {
    if (kind === 'header') isInside = path.every((name, index) => named[index] === name);
    if (!isInside) continue;
    const last = ranges.at(-1);
    const isNext = last !== undefined && text.slice(last.end, start).trim() === '';
    if (last !== undefined && (kind === 'pair' || isNext)) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

function ourText(text: string, path: readonly string[]): string {
  return rangesOf(text, path)
    .map(({ start, end }) => text.slice(start, end))
    .join('');
}

/** At the end of the file, where a header is always right; a blank line before it. */
function append(text: string, { path, value }: TableEdit): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const ended = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  const gap = ended === '' || /\n\r?\n$/.test(ended) ? '' : eol;
  return `${ended}${gap}${blocks(path, value).join(eol).replaceAll(/\r?\n/g, eol)}`;
}

/** A table and those below it, each as text that ends its last line. */
function blocks(path: readonly string[], value: Table): string[] {
  const pairs = Object.entries(value).filter(([, part]) => !isObject(part));
  const tables = Object.entries(value).filter((entry): entry is [string, Table] => isObject(entry[1]));
  const head = pairs.length === 0 ? [] : [`[${path.join('.')}]\n${stringify(Object.fromEntries(pairs))}`];
  return [...head.map(ended), ...tables.flatMap(([key, part]) => blocks([...path, key], part))];
}

/** Changes the table of a person pair by pair. */
function merge(given: string, { path, value }: TableEdit, current: Table): string {
  const eol = given.includes('\r\n') ? '\r\n' : '\n';
  let text = given;
  for (const [key, part] of Object.entries(value)) {
    const present = current[key];
    if (isSame(present, part)) continue;
    if (!isObject(part)) text = setPair(text, path, key, part, eol);
    else if (present === undefined)
      text = append(text, { kind: 'table', role: 'setting', file: '', path: [...path, key], value: part });
    else if (key === 'tools') text = addTables(text, [...path, key], part, isObject(present) ? present : {});
    else text = setTable(text, [...path, key], isObject(present) ? { ...present, ...part } : part, part, eol);
  }
  return text;
}

/** The user's own word on a tool stands. */
function addTables(text: string, path: readonly string[], wanted: Table, present: Table): string {
  const missing = Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
  if (Object.keys(missing).length === 0) return text;
  return append(text, { kind: 'table', role: 'setting', file: '', path, value: missing });
}

/** A table of plain values below ours: as a header of its own, or inline. */
function setTable(text: string, path: readonly string[], merged: Table, ours: Table, eol: string): string {
  const hasHeader = tomlStatements(text).some((one) => one.kind === 'header' && isSame([...one.path], [...path]));
  if (!hasHeader) return setPair(text, path.slice(0, -1), path.at(-1) ?? '', merged, eol);
  return Object.entries(ours).reduce((result, [key, value]) => setPair(result, path, key, value, eol), text);
}

function setPair(text: string, table: readonly string[], key: string, value: Json, eol: string): string {
  const statements = tomlStatements(text);
  const header = statements.findIndex((one) => one.kind === 'header' && isSame([...one.path], [...table]));
  const next = statements.findIndex((one, index) => index > header && one.kind === 'header');
  const own = statements.slice(header, next === -1 ? undefined : next);
  const line = `${pairText(key, value)}${eol}`;
  const present = own.find((one) => one.kind === 'pair' && one.path.length === 1 && one.path[0] === key);
  if (present !== undefined) return replaced(text, present, line);
  const last = own.at(-1);
  if (header === -1 || last === undefined)
    throw new LociError('conflict', `has no table [${table.join('.')}] to change`);
  const gap = text.slice(0, last.end).endsWith('\n') ? '' : eol;
  return `${text.slice(0, last.end)}${gap}${line}${text.slice(last.end)}`;
}

/** The comment at the end of the line stays. */
function replaced(text: string, { start, end }: TomlStatement, line: string): string {
  const comment = /[ \t]+#[^\n"'\]}]*$/.exec(text.slice(start, end).trimEnd())?.[0] ?? '';
  const eol = line.endsWith('\r\n') ? '\r\n' : '\n';
  return `${text.slice(0, start)}${line.slice(0, -eol.length)}${comment}${eol}${text.slice(end)}`;
}

function pairText(key: string, value: Json): string {
  if (!isObject(value)) return stringify({ [key]: value }).trimEnd();
  const inner = Object.entries(value).map(([name, part]) => pairText(name, part));
  return `${stringify({ [key]: 0 })
    .trimEnd()
    .replace(/ = 0$/, '')} = { ${inner.join(', ')} }`;
}

/** One blank line where the table stood between two, or before the end. */
function withoutGap(text: string, at: number): string {
  const before = text.slice(0, at);
  const after = text.slice(at);
  const gap = /\n(\r?\n)$/.exec(before)?.[1];
  return gap === undefined || (after !== '' && !/^\r?\n/.test(after))
    ? text
    : `${before.slice(0, -gap.length)}${after}`;
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function valueAt(table: Table, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), table);
}

function without(table: Table, path: readonly string[]): Json {
  const [key = '', ...below] = path;
  const { [key]: part, ...rest } = table;
  if (below.length === 0 || !isObject(part)) return rest;
  const inner = without(part, below);
  return isObject(inner) && Object.keys(inner).length === 0 ? rest : { ...rest, [key]: inner };
}
