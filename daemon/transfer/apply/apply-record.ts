// One record into the store: a new thing is added, a known one is merged, and what says nothing new moves nothing.
import type { Change } from '#daemon/storage/change-log.ts';
import { keepFieldTimes, replaceFieldTimes } from '#daemon/storage/field-times.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { isRowKind, type RowKind } from '#daemon/storage/records/kinds.ts';
import { presentRecord } from '#daemon/storage/records/present-record.ts';
import { loggedText } from '#daemon/things/index.ts';
import { conflictingFields, loggedKind, unknownTexts } from '../merge/lost-texts.ts';
import { mergeRecords } from '../merge/merge-records.ts';
import type { Staged } from '../staging.ts';
import { type Applied, askedBy, type RowWriter, type Writing } from './deps.ts';
import { knowledgeWriters } from './knowledge.ts';
import { memoryWriter } from './memories.ts';
import { thingWriters } from './things.ts';
import { applyTie } from './ties.ts';

const writers = new Map<RowKind, RowWriter>(
  [memoryWriter, ...thingWriters, ...knowledgeWriters].map((writer) => [writer.kind, writer]),
);

/** In the first pass everything but merges of memories, in the second those. */
export type Pass = 'rows' | 'memories';

export async function applyRecord(writing: Writing, staged: Staged, pass: Pass): Promise<Applied> {
  const { record } = staged;
  const kind = String(record.kind);
  if (!isRowKind(kind)) return { outcome: await applyTie(writing, record), vectors: [], change: null };
  const writer = writers.get(kind) as RowWriter;
  const twin = (await writer.findTwin?.(writing, record)) ?? null;
  const present = await presentRecord(askedBy(writing), kind, twin ?? String(record.uid));
  if (kind === 'memory' && pass === 'rows' && present !== null) return nothingYet;
  if (present === null) {
    const { id, vectors } = await writer.insert(writing, record);
    if (kind !== 'memory') await keepFieldTimes(writing.trx, kind, id, record);
    return { outcome: { what: 'added' }, vectors, change: { kind: loggedKind(kind), thingId: id, action: 'imported' } };
  }
  return merge(writing, writer, staged, present);
}

const nothingYet: Applied = { outcome: null, vectors: [], change: null };

async function merge(
  writing: Writing,
  writer: RowWriter,
  { record, isPresent, isTimed }: Staged,
  present: { readonly id: number; readonly record: ExportRecord },
): Promise<Applied> {
  const { kind } = writer;
  // a memory that the first pass has added is counted already
  const isCounted = kind !== 'memory' || isPresent;
  if (isPresent && !isTimed) return { ...nothingYet, outcome: { what: 'unchanged' } };
  const merged = mergeRecords(kind, present.record, record);
  const { texts, conflicting } = await judgeLost(writing, kind, present.id, { lost: merged.lost, record });
  const conflictOf = (fields: string[]) => ({ kind, id: present.id, uid: String(merged.record.uid), fields });
  if (merged.changed.length === 0) {
    if (texts.length === 0) return { ...nothingYet, outcome: isCounted ? { what: 'unchanged' } : null };
    const change = mergeChange({ kind, thingId: present.id, before: present.record, merged, record, texts });
    return { outcome: { what: 'unchanged', conflict: conflictOf(texts) }, vectors: [], change };
  }
  // the words were worked out of what the file says
  const ofMerged = merged.lost.length === 0 ? writing : { ...writing, words: null };
  const { id, vectors } = await writer.update(ofMerged, merged.record, { id: present.id, changed: merged.changed });
  if (kind !== 'memory') await replaceFieldTimes(writing.trx, kind, id, merged.record);
  if (!isCounted) return { outcome: null, vectors, change: null };
  const conflict = conflicting.length === 0 ? null : conflictOf(conflicting);
  const change = mergeChange({ kind, thingId: id, before: present.record, merged, record, texts });
  return { outcome: { what: 'updated', conflict }, vectors, change };
}

/** Fields of the file that lose a text here which nothing else keeps (a memory's history does), and all in which the sides disagree. */
async function judgeLost(
  { trx }: Writing,
  kind: RowKind,
  thingId: number,
  { lost, record }: { readonly lost: string[]; readonly record: ExportRecord },
): Promise<{ readonly texts: string[]; readonly conflicting: string[] }> {
  if (kind === 'memory' || lost.length === 0) return { texts: [], conflicting: lost };
  const log = await trx
    .selectFrom('change_log')
    .select(['changes', 'snapshot'])
    .where('kind', '=', loggedKind(kind))
    .where('thing_id', '=', thingId)
    .execute();
  return { texts: unknownTexts(lost, record, () => log), conflicting: conflictingFields(lost, record, () => log) };
}

type MergeChange = {
  readonly kind: RowKind;
  readonly thingId: number;
  readonly before: ExportRecord;
  readonly merged: ReturnType<typeof mergeRecords>;
  readonly record: ExportRecord;
  /** Fields of which the file's text is told as the one that lost. */
  readonly texts: readonly string[];
};

/** The log keeps whole what loses, on whichever side; a memory's history has it anyway. */
function mergeChange({ kind, thingId, before, merged, record, texts }: MergeChange): Change {
  const told = merged.changed.filter((word) => !['history', 'field_times', 'data'].includes(word));
  const old = (word: string): unknown => (kind === 'memory' ? logged(before[word]) : (before[word] ?? null));
  const changes = Object.fromEntries([
    ...told.map((word) => [word, { old: old(word), new: logged(merged.record[word]) }]),
    ...texts.map((word) => [word, { old: record[word], new: logged(merged.record[word]) }]),
  ]);
  return { kind: loggedKind(kind), thingId, action: 'merged', changes };
}

function logged(value: unknown): unknown {
  return typeof value === 'string' ? loggedText(value) : (value ?? null);
}
