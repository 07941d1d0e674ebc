// Which backups may go. The recorded sequence decides what is newer, never the clock nor a file's time: a clock that was set back
// would otherwise make the newest backup look like the oldest. What a person made by hand is never dropped.
import type { Backup, BackupReason } from './manifest.ts';

export type Retention = {
  /** Setting `backup.daily`: the newest nightly ones. */
  readonly daily: number;
  /** Setting `backup.weekly`: of the nightly ones before those, the last one of so many weeks. */
  readonly weekly: number;
};

/** How many of each kind that Loci makes before it changes something large. */
const keptOfKind: Partial<Record<BackupReason, number>> = { before_restore: 3, before_migration: 3, before_repair: 3 };

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** 1970 began on a Thursday; weeks begin on Monday. */
const mondayMs = 4 * 24 * 60 * 60 * 1000;

/** Names of the backups that are not kept. */
export function expiredBackups(backups: readonly Backup[], { daily, weekly }: Retention): string[] {
  const newestFirst = [...backups].sort((a, b) => b.sequence - a.sequence);
  const nightly = newestFirst.filter(({ reason }) => reason === 'nightly');
  const weeks = new Set<number>();
  const expired = nightly.slice(daily).filter(({ created_at }) => {
    const week = Math.floor((Date.parse(created_at) - mondayMs) / weekMs);
    if (weeks.has(week) || weeks.size >= weekly) return true;
    weeks.add(week);
    return false;
  });
  for (const [reason, kept] of Object.entries(keptOfKind)) {
    expired.push(...newestFirst.filter((backup) => backup.reason === reason).slice(kept));
  }
  return expired.map(({ name }) => name);
}
