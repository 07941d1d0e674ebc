// Background work of this room. A job looks after each user's memories in turn, by the same use-cases as the operations.
import { defineJob, type Job, type JobTools } from '#daemon/jobs/index.ts';
import { type CallContext, internalContext } from '#daemon/kernel/context.ts';
import type { MemoryDeps } from './deps.ts';
import { userIds } from './memories.repository.ts';
import { cleanMemories } from './upkeep/clean.ts';
import { consolidate } from './upkeep/consolidate.ts';

const minuteMs = 60_000;

export function memoryJobs(deps: MemoryDeps): Job[] {
  return [
    defineJob({
      name: 'flush_accesses',
      what: 'Writes the counted accesses of memories.',
      defaultCron: '*/5 * * * *',
      timeoutMs: minuteMs,
      run: async () => ({ memories: await deps.accesses.flush() }),
    }),
    defineJob({
      name: 'reembed',
      what: 'Embeds what has no vector yet.',
      defaultCron: '*/15 * * * *',
      timeoutMs: 120 * minuteMs,
      run: async () => ({ embedded: await deps.pending.run() }),
    }),
    defineJob({
      name: 'consolidate',
      what: 'Unites fading memories that say nearly the same. Also runs after every ten saves.',
      defaultCron: '10 4 * * *',
      timeoutMs: 30 * minuteMs,
      run: (tools) =>
        forEachUser(deps, tools, async (context, { signal }) => {
          const { candidates, united } = await consolidate(deps, { projectId: null, dryRun: false, signal }, context);
          const archived = united.reduce((sum, { members }) => sum + members.length, 0);
          return { candidates, created: united.length, archived };
        }),
    }),
    defineJob({
      name: 'clean',
      what: 'Archives what expired, faded or says the same as another memory, and refreshes MEMORY.md.',
      defaultCron: '30 4 * * *',
      timeoutMs: 60 * minuteMs,
      run: (tools) =>
        forEachUser(deps, tools, async (context, { signal }) => {
          const done = await cleanMemories(deps, { dryRun: false, signal }, context);
          const refreshed = done.memoryMd.filter(({ outcome }) => outcome === 'refreshed').length;
          const { expired, decayed, duplicates } = done;
          return {
            expired: expired.length,
            decayed: decayed.length,
            duplicates: duplicates.length,
            memory_md: refreshed,
          };
        }),
    }),
  ];
}

/** Runs `work` as each user in turn and sums its counts. */
async function forEachUser(
  deps: MemoryDeps,
  tools: JobTools,
  work: (context: CallContext, tools: JobTools) => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const userId of await userIds(deps.database.db)) {
    tools.signal.throwIfAborted();
    for (const [name, count] of Object.entries(await work({ ...internalContext, userId }, tools))) {
      sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
}
