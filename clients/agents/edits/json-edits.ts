// Puts our properties and hooks into a JSON file and takes them out again. What a person added to an entry of ours stays; what a person
// changed in it makes it theirs, and it is not taken out.

import { isLociHook } from '../loci-hook.ts';
import { isObject, isSame } from '../same.ts';
import type { DefaultEdit, HookEdit, Json, ValueEdit } from './edit.ts';
import { appendElement, removeAt, replaceAt, setValue, valueAt } from './jsonc.ts';

/** What was there before an edit, and what it left, as the ledger keeps it. */
export type JsonTrace = {
  /** Absent where there was nothing. */
  readonly before?: Json;
  readonly after: Json;
  /** How many names of the path existed before. */
  readonly depth: number;
};

export type Placed<Trace> = { readonly text: string; readonly trace: Trace | null };

/** Sets a property; `last` is what an earlier run left there, which may be replaced whole. The trace is null where nothing is ours. */
export function placeValue(
  text: string,
  edit: ValueEdit | DefaultEdit,
  last: JsonTrace | undefined,
): Placed<JsonTrace> {
  const current = valueAt(text, edit.path);
  if (edit.kind === 'default' && current !== undefined) return { text, trace: last ?? null };
  const isOurs = last !== undefined && isSame(current, last.after);
  const trace = isOurs
    ? { ...last }
    : { depth: depthOf(text, edit.path), ...(current === undefined ? {} : { before: current }) };
  const isWhole = current === undefined || (isOurs && last.before === undefined);
  const placed = isWhole ? whole(text, edit, current) : merge(text, edit.path, edit.value);
  return { text: placed, trace: { ...trace, after: valueAt(placed, edit.path) ?? edit.value } };
}

/** Appends our hook, or replaces the one that is there; doubles of it, which older versions may have made, go. */
export function placeHook(given: string, edit: HookEdit, last: JsonTrace | undefined): Placed<JsonTrace> {
  const { path, value } = edit;
  const found = hooksAt(given, path);
  const depth = last?.depth ?? depthOf(given, path);
  const [first, ...doubles] = found;
  if (first === undefined) return { text: appendElement(given, path, value), trace: { depth, after: value } };
  let text = given;
  for (const double of doubles.reverse()) text = removeAt(text, double.path, path.length);
  const wanted = first.path.length === path.length + 1 ? value : innerHook(value);
  if (!isSame(first.value, wanted)) text = replaceAt(text, first.path, wanted);
  return { text, trace: { depth, after: wanted } };
}

export type TakenOut = {
  readonly text: string;
  /** False where a person has changed what is ours, so that it stays. */
  readonly isOut: boolean;
};

export function takeOutValue(text: string, path: readonly string[], { before, after, depth }: JsonTrace): TakenOut {
  const current = valueAt(text, path);
  if (current === undefined) return { text, isOut: true };
  if (!isSame(current, after)) return { text, isOut: false };
  const without = before === undefined ? removeAt(text, path, depth) : setValue(text, path, before);
  return { text: without, isOut: true };
}

/** A default stays where hooks of others are left in the file: they need the `version`. */
export function takeOutDefault(text: string, path: readonly string[], trace: JsonTrace): TakenOut {
  const hooks = valueAt(text, ['hooks']);
  const isNeeded = isObject(hooks) && Object.values(hooks).some((list) => Array.isArray(list) && list.length > 0);
  return isNeeded ? { text, isOut: true } : takeOutValue(text, path, trace);
}

export function takeOutHook(text: string, path: readonly string[], { after, depth }: JsonTrace): TakenOut {
  const found = hooksAt(text, path);
  const ours = found.find(({ value }) => isSame(value, after));
  const without = ours === undefined ? text : removeAt(text, ours.path, Math.min(depth, path.length));
  return { text: without, isOut: found.length <= (ours === undefined ? 0 : 1) };
}

type Found = { readonly path: readonly (string | number)[]; readonly value: Json };

/** Our hooks in a list: the element itself when it holds nothing else, else the part of it that is ours. */
function hooksAt(text: string, path: readonly string[]): Found[] {
  const list = valueAt(text, path);
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((value, index): Found[] => {
    if (!isLociHook(value)) return [];
    const inner = isObject(value) && Array.isArray(value.hooks) ? (value.hooks as readonly Json[]) : [];
    if (inner.every(isLociHook)) return [{ path: [...path, index], value }];
    return inner.flatMap((hook, at) =>
      isLociHook(hook) ? [{ path: [...path, index, 'hooks', at], value: hook }] : [],
    );
  });
}

function innerHook(group: Json): Json {
  const hooks = isObject(group) ? group.hooks : undefined;
  return (Array.isArray(hooks) ? (hooks as readonly Json[])[0] : undefined) ?? group;
}

function whole(text: string, { path, value }: ValueEdit | DefaultEdit, current: Json | undefined): string {
  return isSame(current, value) ? text : setValue(text, path, value);
}

/** Sets what is ours and leaves the other keys of the object. */
function merge(text: string, path: readonly string[], value: Json): string {
  const current = valueAt(text, path);
  if (!isObject(value) || !isObject(current)) return isSame(current, value) ? text : setValue(text, path, value);
  return Object.entries(value).reduce((result, [key, part]) => merge(result, [...path, key], part), text);
}

function depthOf(text: string, path: readonly string[]): number {
  let depth = 0;
  while (depth < path.length && valueAt(text, path.slice(0, depth + 1)) !== undefined) depth += 1;
  return depth;
}
