// What a merge of two machines decides one by one, and how the times of those fields are told. A time is told only where it differs from that
// of the others, so that of one state there is one way to write it: two stores that hold the same export the same line.
import type { ExportRecord } from './fields.ts';
import { kindRows, type RowKind } from './kinds.ts';

/** Kinds whose fields have times of their own; of a memory its versions tell. */
export type TimedKind = Exclude<RowKind, 'memory'>;

/** UTC instants by word. */
export type FieldTimes = Readonly<Record<string, string>>;

/** What every field without a time of its own goes by. */
export const restWord = 'rest';

/** Words that stand in other tables than the kind's own. */
const besides: Partial<Record<RowKind, readonly string[]>> = {
  entity: ['projects'],
  file: ['data'],
  task: ['criteria'],
};

/** Words that no writer decides: a time, or a number that only grows. */
const counted: Partial<Record<RowKind, readonly string[]>> = { task: ['version'] };

/**
 * Words that say something about another: they come from the side of which the first of them comes. A task is not held by one machine's agent
 * in the other's state, and bytes are not of the other's type.
 */
const together: Partial<Record<RowKind, readonly (readonly string[])[]>> = {
  document: [['content', 'document_type']],
  code_artifact: [['code', 'language']],
  file: [['data', 'mime_type']],
  entity: [['entity_type', 'custom_type']],
  task: [['state', 'assigned_agent', 'lease_expires_at']],
};
const everywhere = [
  ['encoding_agent', 'encoding_version'],
  ['agent_id', 'agent_version', 'agent_model'],
] as const;

const groupsByKind = new Map<TimedKind, readonly (readonly string[])[]>();

export function isTimedKind(kind: string): kind is TimedKind {
  return kind !== 'memory' && Object.hasOwn(kindRows, kind);
}

/** Every word of a kind that a merge decides, with those that go along. */
export function decidedGroups(kind: TimedKind): readonly (readonly string[])[] {
  const known = groupsByKind.get(kind);
  if (known !== undefined) return known;
  const { fields, refs } = kindRows[kind];
  const left = new Set([...fields.map(({ word }) => word), ...refs.map(({ word }) => word), ...(besides[kind] ?? [])]);
  for (const word of ['created_at', 'updated_at', ...(counted[kind] ?? [])]) left.delete(word);
  const groups = [...(together[kind] ?? []), ...everywhere].filter(([first = '']) => left.has(first));
  for (const word of groups.flat()) left.delete(word);
  const all = [...groups, ...[...left].map((word) => [word])];
  groupsByKind.set(kind, all);
  return all;
}

export function decidedWords(kind: TimedKind): readonly string[] {
  return decidedGroups(kind).flat();
}

/** When each decided word of a record was last written; one that tells no times was written as a whole. */
export function timesOf(kind: TimedKind, record: ExportRecord): Record<string, string> {
  const told = (record.field_times ?? {}) as FieldTimes;
  const rest = told[restWord] ?? (record.updated_at as string);
  return Object.fromEntries(decidedWords(kind).map((word) => [word, told[word] ?? rest]));
}

/** The times as a record tells them; null where all are that of its last change. */
export function timesToTell(times: FieldTimes, updatedAt: string): FieldTimes | null {
  const rest = Object.values(times).sort()[0] ?? updatedAt;
  const newer = Object.entries(times).filter(([, time]) => time !== rest);
  if (newer.length === 0 && rest === updatedAt) return null;
  return { [restWord]: rest, ...Object.fromEntries(newer) };
}
