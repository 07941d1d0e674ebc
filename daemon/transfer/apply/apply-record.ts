// One record into the store: a new thing is added, a known one is merged, and what says nothing new moves nothing.
import type { Change } from '#daemon/storage/change-log.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { isRowKind, type RowKind } from '#daemon/storage/records/kinds.ts';
import { presentRecord } from '#daemon/storage/records/present-record.ts';
import { loggedText } from '#daemon/things/index.ts';
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
    return { outcome: { what: 'added' }, vectors, change: { kind, thingId: id, action: 'imported' } };
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
  if (merged.changed.length === 0) return { ...nothingYet, outcome: isCounted ? { what: 'unchanged' } : null };
  const { id, vectors } = await writer.update(writing, merged.record, { id: present.id, changed: merged.changed });
  if (!isCounted) return { outcome: null, vectors, change: null };
  const conflict = merged.lost.length === 0 ? null : { kind, uid: String(merged.record.uid), fields: merged.lost };
  return { outcome: { what: 'updated', conflict }, vectors, change: mergeChange(kind, id, present.record, merged) };
}

/** The log keeps both texts of every field that changed; a memory's history has them anyway. */
function mergeChange(
  kind: RowKind,
  thingId: number,
  before: ExportRecord,
  merged: ReturnType<typeof mergeRecords>,
): Change {
  const told = merged.changed.filter((word) => !['history', 'field_times', 'data'].includes(word));
  const changes = Object.fromEntries(
    told.map((word) => [word, { old: logged(before[word]), new: logged(merged.record[word]) }]),
  );
  return { kind, thingId, action: 'merged', changes };
}

function logged(value: unknown): unknown {
  return typeof value === 'string' ? loggedText(value) : (value ?? null);
}
