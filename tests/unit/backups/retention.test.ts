import { describe, expect, it } from 'vitest';
import type { Backup, BackupReason } from '#daemon/backups/manifest.ts';
import { expiredBackups } from '#daemon/backups/retention.ts';

const backup = (sequence: number, day: string, reason: BackupReason = 'nightly'): Backup => ({
  name: `b${sequence}`,
  sequence,
  created_at: `2026-${day}T02:30:00.000Z`,
  reason,
  bytes: 1,
  memories: 1,
  version: '1',
  schema: 1,
});

describe('what may go', () => {
  it('B63 is decided by the recorded sequence: a clock that went back does not make the newest look old', () => {
    const made = ['03-01', '03-02', '03-03', '03-04', '01-05', '01-06'].map((day, at) => backup(at + 1, day));
    expect(expiredBackups(made, { daily: 3, weekly: 0 }).sort()).toEqual(['b1', 'b2', 'b3']);
  });

  it('is every nightly one beyond the newest days, but for the last of each of so many weeks before', () => {
    // 30 nights from 1 June (a Monday): the newest seven, then the last of each of the two weeks before those
    const nights = Array.from({ length: 30 }, (_, at) => backup(at + 1, `06-${String(at + 1).padStart(2, '0')}`));
    const gone = new Set(expiredBackups(nights, { daily: 7, weekly: 2 }));
    expect(nights.filter(({ name }) => !gone.has(name)).map(({ sequence }) => sequence)).toEqual([
      21, 23, 24, 25, 26, 27, 28, 29, 30,
    ]);
  });

  it('is never one that was made by hand, and of those before a restore all but the newest three', () => {
    const made = [
      ...Array.from({ length: 5 }, (_, at) => backup(at + 1, '05-01', 'manual')),
      ...Array.from({ length: 5 }, (_, at) => backup(at + 6, '05-02', 'before_restore')),
    ];
    expect(expiredBackups(made, { daily: 0, weekly: 0 }).sort()).toEqual(['b6', 'b7']);
  });
});
