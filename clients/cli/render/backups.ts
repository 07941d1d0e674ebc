import { createBackup, listBackups, repairDatabase, restoreBackup, verifyBackup } from '#shared/contract/backups.ts';
import { ageOf, durationText, sizeText } from './age.ts';
import { escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import { table } from './table.ts';

type Backup = { name: string; memories: number; bytes: number };

export const createBackupRenderer = rendererFor(createBackup, (backup) => ({
  result: `${escapeLine(backup.name)}: ${holds(backup)}.`,
}));

export const verifyBackupRenderer = rendererFor(verifyBackup, (backup) => ({
  result: `${escapeLine(backup.name)} is whole: ${holds(backup)}.`,
}));

export const restoreBackupRenderer = rendererFor(restoreBackup, ({ restored, saved_as, took_ms }) => ({
  result: `Restored ${escapeLine(restored.name)} in ${durationText(took_ms)}: ${holds(restored)}.`,
  notices: [
    saved_as === null
      ? 'What was there before could not be saved as a backup; a damaged database was set aside in the data folder.'
      : `What was there before is ${escapeLine(saved_as)}.`,
  ],
}));

export const repairDatabaseRenderer = rendererFor(
  repairDatabase,
  ({ fault, backup, recovered, restored, set_aside }) => {
    if (fault === null) return { result: 'The database is whole: nothing was done.' };
    const from = backup === null ? 'no backup was there to fill the gaps' : `${restored} from ${escapeLine(backup)}`;
    return {
      result: `Repaired: ${recovered} memories were read from the damaged file, ${from}.`,
      notices: [
        `What was wrong: ${escapeLine(fault)}.`,
        ...(set_aside === null ? [] : [`The damaged files are kept in ${escapeLine(set_aside)}, beside the database.`]),
      ],
    };
  },
);

export const listBackupsRenderer = rendererFor(listBackups, ({ backups, damaged, rehearsed }, view) => ({
  result:
    backups.length === 0
      ? ''
      : table(
          [
            { head: 'NAME', paint: view.style.cyan },
            { head: 'AGE', align: 'right' },
            { head: 'MEMORIES', align: 'right' },
            { head: 'SIZE', align: 'right' },
            { head: 'WHY' },
          ],
          backups.map((backup) => [
            backup.name,
            ageOf(backup.created_at, view.nowMs),
            String(backup.memories),
            sizeText(backup.bytes),
            backup.reason.replaceAll('_', ' '),
          ]),
          view,
        ),
  notices: [
    ...(backups.length === 0 ? ['No backups yet: `loci backup create` makes one, and a job one each night.'] : []),
    ...damaged.map(({ name, why }) => `Damaged: ${escapeLine(name)}. ${escapeLine(why)}`),
    ...(rehearsed === null ? [] : [`Restored on trial: ${ageOf(rehearsed.at, view.nowMs)}.`]),
  ],
}));

function holds({ memories, bytes }: Backup): string {
  return `${memories} ${memories === 1 ? 'memory' : 'memories'}, ${sizeText(bytes)}`;
}
