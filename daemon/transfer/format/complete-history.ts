// Versions of a memory in a file may come from any Loci before or after this one, or from an editor. What has the wrong type would break
// whoever reads the history later, so it is taken from the memory itself, as is what is missing.

import { isRecord } from '#daemon/kernel/is-record.ts';
import type { ExportRecord, FieldType } from '#daemon/storage/records/fields.ts';
import { type Version, versionFields } from '#daemon/storage/records/memory-snapshots.ts';
import { parseInstant } from '#shared/contract/common.ts';

/** The memory with every version whole. */
export function completeHistory(memory: ExportRecord): ExportRecord {
  const history = (memory.history as readonly Version[]).map((version) => {
    const given = version.snapshot;
    const fields = versionFields.map(({ word, type }) => [
      word,
      isOf(type, given[word]) ? given[word] : (memory[word] ?? null),
    ]);
    const ends = { projects: given.projects, superseded_by: given.superseded_by };
    return { ...version, snapshot: { ...Object.fromEntries(fields), ...ends } };
  });
  return { ...memory, history };
}

function isOf(type: FieldType, value: unknown): boolean {
  if (value === undefined) return false;
  if (type === 'list') return Array.isArray(value) && value.every((member) => typeof member === 'string');
  if (type === 'object') return isRecord(value);
  if (type === 'flag') return typeof value === 'boolean';
  if (value === null) return true;
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === 'string' && (type !== 'time' || parseInstant(value) !== null);
}
