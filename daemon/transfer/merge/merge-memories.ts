// One memory that two machines changed apart. Each field is the one that was written last; what loses stays in the history, whole, so that
// nobody's words are gone. The result depends only on the two sides, not on which of them is at home: both machines end with the same
// memory, and importing a file again changes nothing (tests/unit/transfer/merge.test.ts holds this for any two sides).
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { type Version, versionFields } from '#daemon/storage/records/memory-snapshots.ts';
import { canonical, isLess } from './canonical.ts';
import { fieldTimes, mergedWords, saidIn, wordsWith } from './field-times.ts';

/** What is said, by whichever of its words a text is known. */
const textWords = ['title', 'content', 'context', 'problem', 'solution'] as const;
/** What a first pass of an import cannot write yet, and what a time of change says nothing about. */
const besides: ReadonlySet<string> = new Set([
  'kind',
  'history',
  'superseded_by',
  'kept_apart_at',
  'field_times',
  'united',
  'access_count',
  'last_accessed_at',
]);

/** The memory that both sides make together; their uid is the same. */
export function mergeMemories(a: ExportRecord, b: ExportRecord): ExportRecord {
  const counters = {
    access_count: Math.max(a.access_count as number, b.access_count as number),
    last_accessed_at: later(a.last_accessed_at, b.last_accessed_at),
    kept_apart_at: later(a.kept_apart_at, b.kept_apart_at),
    united: unitedMembers(a, b),
  };
  if (isSameState(a, b)) {
    return {
      ...a,
      ...counters,
      superseded_by: larger(a.superseded_by, b.superseded_by),
      field_times: larger(a.field_times, b.field_times),
      history: unitedHistory(a, b, []),
    };
  }
  const { fields, times } = decide(a, b);
  const updatedAt = later(a.updated_at, b.updated_at) as string;
  const merged: ExportRecord = {
    ...a,
    ...fields,
    ...counters,
    created_at: earlier(a.created_at, b.created_at),
    updated_at: updatedAt,
    field_times: { at: updatedAt, ...times },
  };
  const lost = [a, b].filter((side) => textWords.some((word) => canonical(side[word]) !== canonical(merged[word])));
  const whole = { ...merged, history: unitedHistory(a, b, lost.map(asVersion)) };
  // where one side has it all, the line of its own versions tells the times
  const own = [a, b].filter((side) => isEqualBut('field_times', side, whole)).map((side) => side.field_times);
  return own.length === 0 ? whole : { ...whole, field_times: own.reduce<unknown>(larger, null) };
}

/** Each field from the side that wrote it last. */
function decide(a: ExportRecord, b: ExportRecord): { fields: Record<string, unknown>; times: Record<string, string> } {
  const [timesOfA, timesOfB] = [fieldTimes(a), fieldTimes(b)];
  const fields: Record<string, unknown> = {};
  const times: Record<string, string> = {};
  for (const word of mergedWords) {
    const [timeOfA = '', timeOfB = ''] = [timesOfA[word], timesOfB[word]];
    const side = isBefore([timeOfA, a], [timeOfB, b], word) ? b : a;
    for (const each of wordsWith(word)) fields[each] = side[each];
    times[word] = [timeOfA, timeOfB].sort()[1] ?? timeOfA;
    // these have no history of their own
    if (word === 'status') fields.obsoleted_at = side.obsoleted_at;
    if (word === 'content') fields.provenance_class = side.provenance_class;
  }
  return { fields, times };
}

/** Written at one time, a value wins over none, and else the one that sorts last: any rule will do that both machines follow. */
function isBefore(a: readonly [string, ExportRecord], b: readonly [string, ExportRecord], word: string): boolean {
  if (a[0] !== b[0]) return a[0] < b[0];
  const [one, other] = [saidIn(a[1], word), saidIn(b[1], word)];
  if (one !== other) return isLess(one, other);
  const beside = word === 'status' ? 'obsoleted_at' : word === 'content' ? 'provenance_class' : null;
  return beside !== null && isLess(canonical(a[1][beside]), canonical(b[1][beside]));
}

function isSameState(a: ExportRecord, b: ExportRecord): boolean {
  const state = (side: ExportRecord) => Object.fromEntries(Object.entries(side).filter(([word]) => !besides.has(word)));
  return canonical(state(a)) === canonical(state(b));
}

function isEqualBut(word: string, a: ExportRecord, b: ExportRecord): boolean {
  return canonical({ ...a, [word]: null }) === canonical({ ...b, [word]: null });
}

/** Every version of both, each once, in the order in which they ended. */
function unitedHistory(a: ExportRecord, b: ExportRecord, more: readonly Version[]): Version[] {
  const versions = new Map<string, Version>();
  for (const version of [...historyOf(a), ...historyOf(b), ...more]) {
    const key = `${version.from} ${canonical(version.snapshot)}`;
    const known = versions.get(key);
    if (known === undefined || rankOf(known) < rankOf(version)) versions.set(key, version);
  }
  return [...versions.entries()]
    .sort(([keyA, { to: endA }], [keyB, { to: endB }]) =>
      endA === endB ? (keyA < keyB ? -1 : 1) : endA < endB ? -1 : 1,
    )
    .map(([, version]) => version);
}

type Member = { readonly uid: string; readonly by: string };

/** Members that either side knows, each once, by uid. */
function unitedMembers(a: ExportRecord, b: ExportRecord): Member[] {
  const members = new Map<string, Member>();
  for (const side of [a, b]) {
    for (const member of (side.united as readonly Member[] | undefined) ?? []) {
      const known = members.get(member.uid);
      if (known === undefined || known.by < member.by) members.set(member.uid, { uid: member.uid, by: member.by });
    }
  }
  return [...members.values()].sort((one, other) => (one.uid < other.uid ? -1 : 1));
}

function historyOf(side: ExportRecord): readonly Version[] {
  return (side.history as readonly Version[] | undefined) ?? [];
}

/** Of two that tell of one state, the one that was current for longer; a version that somebody ended before one that only lost. */
function rankOf({ to, action, agent }: Version): string {
  return [to, action === 'merged_in' ? 0 : 1, action, agent ?? ''].join(' ');
}

/** A state that lost, as a version: it was never current here, so it ends when it begins. */
function asVersion(side: ExportRecord): Version {
  const words = [...versionFields.map(({ word }) => word), 'projects', 'superseded_by'];
  const snapshot = Object.fromEntries(words.map((word) => [word, side[word] ?? null]));
  const at = side.updated_at as string;
  return { action: 'merged_in', agent: (side.agent as string | null) ?? null, from: at, to: at, snapshot };
}

function later(a: unknown, b: unknown): unknown {
  return larger(a, b);
}

function earlier(a: unknown, b: unknown): unknown {
  return canonical(a) < canonical(b) ? a : b;
}

/** Null loses, else what sorts last: for instants that is the later one. */
function larger(a: unknown, b: unknown): unknown {
  return isLess(canonical(a), canonical(b)) ? b : a;
}
