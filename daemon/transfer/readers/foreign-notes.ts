// A text of another program as one of ours. It is marked as imported, so that nothing of it is put before a model by itself: whoever wrote
// it may have had a model in mind. What is longer than a memory may be becomes a document, whole.

import { cutAtWord } from '#daemon/memories/index.ts';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import type { RecordKind } from '#daemon/storage/records/kinds.ts';
import { codePoints } from '#shared/contract/common.ts';
import type { Item, ReaderTools } from './reader.ts';

export type ForeignNote = {
  /** What the source knows it by. */
  readonly sourceId: readonly string[];
  readonly content: string;
  readonly title?: string | null;
  readonly createdAt: string | null;
  readonly updatedAt?: string | null;
  /** By name. */
  readonly project?: string | null;
  readonly tags?: readonly string[];
  readonly line?: number | null;
  /** Further fields of a memory, in the words of the export format; a document has none of them. */
  readonly more?: Readonly<Record<string, unknown>>;
};

export type Noted = {
  readonly items: readonly Item[];
  readonly kind: Extract<RecordKind, 'memory' | 'document'>;
  readonly uid: string;
};

const maxMemory = 20_000;
const maxTitle = 200;

/** What is told of a text of which nothing stood outside of <private>. */
export const privateNotice = { notice: 'What stood wholly inside <private> was left out.' };

/** The items of a note, its project first; of one without words nothing, or why. */
export function itemsOfNote(tools: ReaderTools, note: ForeignNote): readonly Item[] {
  const noted = noteItems(tools, note);
  if (noted !== null) return noted.items;
  return note.content.trim() === '' ? [] : [privateNotice];
}

/** The items of a note, its project first; null for one without words. */
export function noteItems(tools: ReaderTools, note: ForeignNote): Noted | null {
  const content = withoutPrivateSpans(note.content).trim();
  if (content === '') return null;
  const isLong = isTooLong(content);
  const kind = isLong ? 'document' : 'memory';
  const uid = tools.uidFor(kind, ...note.sourceId);
  const name = note.project ?? tools.project0;
  const project = name === null || name.trim() === '' ? null : tools.project(name);
  const createdAt = note.createdAt ?? tools.nowIso;
  const stamps = { created_at: createdAt, updated_at: later(note.updatedAt ?? createdAt, createdAt) };
  const title =
    note.title === undefined || note.title === null || note.title.trim() === ''
      ? null
      : cutAtWord(oneLine(note.title), maxTitle);
  const common = { uid, tags: [...(note.tags ?? [])], ...stamps };
  const record = isLong
    ? { kind, ...common, title: title ?? cutAtWord(oneLine(content), 120), content, project: project?.uid ?? null }
    : {
        kind,
        ...common,
        title,
        content,
        projects: project === null ? [] : [project.uid],
        occurred_at: createdAt,
        provenance_class: 'import',
        ...note.more,
      };
  const isTimed = note.createdAt !== null || (note.updatedAt ?? null) !== null;
  const items: Item[] = [...(project?.items ?? []), { line: note.line ?? null, record, isTimed }];
  if (isLong) items.push({ notice: 'Texts of more than 20,000 characters were taken as documents.' });
  return { items, kind, uid };
}

/** Whether a text becomes a memory: not a document, and not nothing. */
export function isForMemory(content: string): boolean {
  const said = withoutPrivateSpans(content).trim();
  return said !== '' && !isTooLong(said);
}

function isTooLong(text: string): boolean {
  return text.length > maxMemory && codePoints(text) > maxMemory;
}

/** A tie between two things; linking twice is linking once. */
export function linkItem(tools: ReaderTools, from: End, to: End, line: number | null = null): Item {
  return { line, isTimed: false, record: { kind: 'link', from, to, created_at: tools.nowIso } };
}

export type End = { readonly kind: RecordKind; readonly uid: string };

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}
