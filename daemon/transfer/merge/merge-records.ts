// What becomes of a thing that is here and in the file. Memories are merged field by field (merge-memories.ts); the other kinds keep no
// earlier versions from which the age of a field could be told, so of them the side that was changed last wins whole, and the other
// side's texts go to the log of changes.
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { RowKind } from '#daemon/storage/records/kinds.ts';
import { canonical } from './canonical.ts';
import { mergeMemories } from './merge-memories.ts';

export type Merge = {
  readonly record: ExportRecord;
  /** Fields that change here. */
  readonly changed: readonly string[];
  /** Fields in which the file says something that is not what stands in the end, counters and times aside. */
  readonly lost: string[];
};

const noConflict: ReadonlySet<string> = new Set([
  'history',
  'field_times',
  'access_count',
  'last_accessed_at',
  'kept_apart_at',
  'united',
  'created_at',
  'updated_at',
  'aliases',
]);

/** Merges what a file says of a thing into what is here. The uid is the one that is here. */
export function mergeRecords(kind: RowKind, present: ExportRecord, incoming: ExportRecord): Merge {
  const given = { ...incoming, uid: present.uid };
  const record = kind === 'memory' ? mergeMemories(present, given) : laterOf(present, given);
  return {
    record,
    changed: differing(present, record),
    lost: differing(given, record).filter((word) => !noConflict.has(word)),
  };
}

function laterOf(a: ExportRecord, b: ExportRecord): ExportRecord {
  const isLater = rankOf(a) < rankOf(b);
  const [winner, loser] = isLater ? [b, a] : [a, b];
  const [createdAt] = [a.created_at as string, b.created_at as string].sort();
  return {
    ...winner,
    created_at: createdAt,
    ...(winner.aliases === undefined ? {} : { aliases: union(winner.aliases, loser.aliases) }),
  };
}

/** Names that a project had on either side stay its names. */
function union(a: unknown, b: unknown): string[] {
  return [...new Set([...(a as string[]), ...((b as string[] | undefined) ?? [])])].sort();
}

function rankOf(side: ExportRecord): string {
  const { created_at: _, aliases: __, ...state } = side;
  return `${side.updated_at as string} ${canonical(state)}`;
}

/** Words in which two records differ. */
export function differing(a: ExportRecord, b: ExportRecord): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (word) => canonical(a[word]) !== canonical(b[word]),
  );
}
