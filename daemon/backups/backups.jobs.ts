import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { defineJob, type Job } from '#daemon/jobs/index.ts';
import type { Backups } from './backups.ts';

const minuteMs = 60_000;

export function backupJobs({ backups, embedder }: { readonly backups: Backups; readonly embedder: Embedder }): Job[] {
  return [
    defineJob({
      name: 'backup',
      what: 'Writes a backup, checks it, and drops those beyond what the settings keep.',
      defaultCron: '30 2 * * *',
      timeoutMs: 60 * minuteMs,
      async run({ signal }) {
        const { bytes, memories, sequence } = await backups.create('nightly', signal);
        return { bytes, memories, sequence };
      },
    }),
    defineJob({
      name: 'rehearse_restore',
      what: 'Restores the newest backup on trial, and searches it by keyword and by meaning.',
      defaultCron: '50 2 * * 0',
      timeoutMs: 60 * minuteMs,
      async run({ signal }) {
        const rehearsal = await backups.rehearse(embedder, signal);
        if (rehearsal === null) return { backups: 0 };
        const { memories, byKeyword, byMeaning } = rehearsal;
        return { memories, found_by_keyword: byKeyword, found_by_meaning: byMeaning };
      },
    }),
  ];
}
