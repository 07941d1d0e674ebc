// Background work of this room.
import { defineJob, type Job } from '#daemon/jobs/index.ts';
import type { MemoryDeps } from './deps.ts';

export function memoryJobs(deps: MemoryDeps): Job[] {
  return [
    defineJob({
      name: 'flush_accesses',
      what: 'Writes the counted accesses of memories.',
      defaultCron: '*/5 * * * *',
      timeoutMs: 60_000,
      run: async () => ({ memories: await deps.accesses.flush() }),
    }),
  ];
}
