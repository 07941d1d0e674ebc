// From edits to the text of one file and back: the one place that knows every kind of edit.
import { createHash } from 'node:crypto';
import { LociError } from '#shared/errors.ts';
import type { Edit, Role } from './edit.ts';
import { type JsonTrace, placeHook, placeValue, takeOutDefault, takeOutHook, takeOutValue } from './json-edits.ts';
import { placeSection, takeOutSection } from './marked-section.ts';
import { placeTable, type TableTrace, takeOutTable } from './toml-edits.ts';

type Common = { readonly role: Role; readonly owner: string };

/** What the ledger keeps of an edit: enough to tell later whether what stands in the file is still what we wrote. */
export type Written = Common &
  (
    | { readonly kind: 'value' | 'default' | 'hook'; readonly path: readonly string[]; readonly trace: JsonTrace }
    | { readonly kind: 'table'; readonly path: readonly string[]; readonly trace: TableTrace }
    | { readonly kind: 'section'; readonly trace: { readonly after: string } }
    | { readonly kind: 'file'; readonly trace: { readonly sha256: string } }
  );

/** An edit and the name of the agent that it is for. */
export type OwnedEdit = { readonly owner: string; readonly edit: Edit };

export type PlacedEdits = { readonly text: string; readonly written: readonly Written[] };

/**
 * The text of a file (null for none) with all edits in it. Throws `LociError` with the second half of a sentence whose first half is the
 * file: `conflict` or `invalid_input` where the file must be left alone, `rejected_by_policy` where it is the user's own.
 */
export function placeEdits(text: string | null, edits: readonly OwnedEdit[], before: readonly Written[]): PlacedEdits {
  const bom = text?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const written: Written[] = [...before];
  let current = (text ?? '').slice(bom.length);
  for (const { owner, edit } of edits) {
    const index = written.findIndex((one) => isFor(one, edit));
    const placed = place(text === null ? null : current, current, edit, written[index]);
    current = placed.text;
    if (placed.trace === null) continue;
    const entry = { ...entryOf(edit), role: edit.role, owner, trace: placed.trace } as Written;
    if (index === -1) written.push(entry);
    else written[index] = entry;
  }
  return { text: `${bom}${current}`, written };
}

/** The text without these edits, null where nothing of the file is left; `kept` are those that a person has changed, which stay. */
export function takeOutEdits(
  text: string,
  written: readonly Written[],
): { text: string | null; kept: readonly Written[] } {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let current: string | null = text.slice(bom.length);
  const kept: Written[] = [];
  for (const one of [...written].reverse()) {
    if (current === null) break;
    const { text: next, isOut } = takeOut(current, one);
    if (!isOut) kept.unshift(one);
    current = next;
  }
  return { text: current === null ? null : `${bom}${current}`, kept };
}

export function sha256Of(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

type Placed = { readonly text: string; readonly trace: Written['trace'] | null };

function place(given: string | null, text: string, edit: Edit, last: Written | undefined): Placed {
  switch (edit.kind) {
    case 'value':
    case 'default':
      return placeValue(text, edit, last?.trace as JsonTrace | undefined);
    case 'hook':
      return placeHook(text, edit, last?.trace as JsonTrace | undefined);
    case 'table':
      return placeTable(text, edit, last?.trace as TableTrace | undefined);
    case 'section':
      return placeSection(text, edit.text);
    case 'file': {
      const isOurs = last?.kind === 'file' && given !== null && last.trace.sha256 === sha256Of(given);
      if (given !== null && given !== edit.text && !isOurs) {
        throw new LociError('rejected_by_policy', 'has words of yours and stays as it is');
      }
      return { text: edit.text, trace: { sha256: sha256Of(edit.text) } };
    }
  }
}

function takeOut(text: string, written: Written): { text: string | null; isOut: boolean } {
  switch (written.kind) {
    case 'value':
      return takeOutValue(text, written.path, written.trace);
    case 'default':
      return takeOutDefault(text, written.path, written.trace);
    case 'hook':
      return takeOutHook(text, written.path, written.trace);
    case 'table':
      return takeOutTable(text, written.path, written.trace);
    case 'section':
      return takeOutSection(text, written.trace);
    case 'file': {
      const isOurs = sha256Of(text) === written.trace.sha256;
      return { text: isOurs ? null : text, isOut: isOurs };
    }
  }
}

function isFor(written: Written, edit: Edit): boolean {
  return JSON.stringify(keyOf(written)) === JSON.stringify(keyOf(edit));
}

function keyOf(one: Written | Edit): unknown {
  return [one.kind, 'path' in one ? one.path : null];
}

function entryOf(edit: Edit): object {
  return 'path' in edit ? { kind: edit.kind, path: edit.path } : { kind: edit.kind };
}
