// One thing other than a memory that two machines changed apart. Each field is the one that was written last; fields that say something about
// another go along with it (field-words.ts). Of two sides the greater one wins, field by field, so it does not matter who imports first,
// how often, or over how many machines a change travels (tests/unit/transfer/merge-things.test.ts).
import {
  decidedGroups,
  decidedWords,
  type TimedKind,
  timesOf,
  timesToTell,
} from '#daemon/storage/records/field-words.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { canonical, isLess } from './canonical.ts';

/** The thing that both sides make together; their uid is the same. */
export function mergeThings(kind: TimedKind, a: ExportRecord, b: ExportRecord): ExportRecord {
  const [timesOfA, timesOfB] = [timesOf(kind, a), timesOf(kind, b)];
  const merged: Record<string, unknown> = { ...a };
  const times: Record<string, string> = {};
  for (const group of decidedGroups(kind)) {
    const isOfB = isBefore({ side: a, times: timesOfA }, { side: b, times: timesOfB }, group);
    const [side, sideTimes] = isOfB ? [b, timesOfB] : [a, timesOfA];
    for (const word of group) {
      merged[word] = side[word];
      times[word] = sideTimes[word] as string;
    }
  }
  const updatedAt = [a.updated_at as string, b.updated_at as string].sort()[1] as string;
  return {
    ...merged,
    ...(kind === 'task' ? taskWords(merged, a, b) : {}),
    ...(kind === 'project' ? { aliases: union(a.aliases, b.aliases) } : {}),
    created_at: [a.created_at as string, b.created_at as string].sort()[0],
    updated_at: updatedAt,
    field_times: timesToTell(times, updatedAt),
  };
}

type Side = { readonly side: ExportRecord; readonly times: Readonly<Record<string, string>> };

/** By the first word of a group that differs in its time or in what it says; a value wins over none, else the one that sorts last. */
function isBefore(a: Side, b: Side, group: readonly string[]): boolean {
  for (const word of group) {
    const [timeOfA = '', timeOfB = ''] = [a.times[word], b.times[word]];
    if (timeOfA !== timeOfB) return timeOfA < timeOfB;
    const [one, other] = [saidIn(a.side, word), saidIn(b.side, word)];
    if (one !== other) return isLess(one, other);
  }
  return false;
}

/** Of criteria which there are and what they demand: whether one is met has a time of its own. */
function saidIn(side: ExportRecord, word: string): string {
  return canonical(word === 'criteria' ? criteriaOf(side).map(keyOf) : side[word]);
}

type Criterion = { readonly description: string; readonly created_at: string; readonly updated_at: string };

/** Whoever read a task on either side must not take what both made of it for what he read: it is a version further. */
function taskWords(merged: ExportRecord, a: ExportRecord, b: ExportRecord): Record<string, unknown> {
  const task: ExportRecord = { ...merged, criteria: metOnEither(merged, a, b) };
  const isNew = [a, b].every((side) =>
    decidedWords('task').some((word) => canonical(side[word]) !== canonical(task[word])),
  );
  const version = Math.max(Number(a.version), Number(b.version)) + (isNew ? 1 : 0);
  return { criteria: task.criteria, version };
}

/** The list that was decided for, each criterion as it was ticked last. */
function metOnEither(merged: ExportRecord, a: ExportRecord, b: ExportRecord): Criterion[] {
  const known = [...criteriaOf(a), ...criteriaOf(b)];
  return criteriaOf(merged).map((criterion) =>
    known
      .filter((other) => keyOf(other) === keyOf(criterion))
      .reduce((last, other) => (rankOf(last) < rankOf(other) ? other : last)),
  );
}

/** Whether a task demands all that another state of it demands. */
export function hasEveryCriterion(task: ExportRecord, other: ExportRecord): boolean {
  const keys = criteriaOf(task).map(keyOf);
  return criteriaOf(other).every((criterion) => keys.includes(keyOf(criterion)));
}

function criteriaOf({ criteria }: ExportRecord): readonly Criterion[] {
  return (criteria as readonly Criterion[] | undefined) ?? [];
}

function keyOf({ created_at, description }: Criterion): string {
  return canonical([created_at, description]);
}

function rankOf(criterion: Criterion): string {
  return `${criterion.updated_at} ${canonical(criterion)}`;
}

/** Names that a project had on either side stay its names. */
function union(a: unknown, b: unknown): string[] {
  return [...new Set([...((a as string[] | undefined) ?? []), ...((b as string[] | undefined) ?? [])])].sort();
}
