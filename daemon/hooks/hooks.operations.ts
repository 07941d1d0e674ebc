// Words of the hooks ↔ use-cases. Operations that read a file of this machine are refused over TCP: whoever calls from elsewhere has no
// business with paths here.

import { requireOwner } from '#daemon/kernel/caller.ts';
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { memoriesByIds, shownTitle } from '#daemon/memories/index.ts';
import { memoryRecall, memoryRecap, memorySweep, memoryTakeFile, memoryTakeSpool } from '#shared/contract/hooks.ts';
import { listInjections } from '#shared/contract/trust.ts';
import { LociError } from '#shared/errors.ts';
import type { HookDeps } from './deps.ts';
import { injectionPage } from './injections.repository.ts';
import { recallFor } from './recall.ts';
import { recapOf } from './recap.ts';
import type { Spool } from './spool.ts';
import { sweepTranscript } from './sweep.ts';
import { takeFile } from './take-file.ts';

export function hookOperations(deps: HookDeps, spool: Spool): Operation[] {
  return [
    implement(memoryRecall, async ({ max_tokens: maxTokens, deadline_ms: deadlineMs, ...input }, context) =>
      recallFor(deps, { ...input, maxTokens, deadlineMs }, context),
    ),
    implement(memoryRecap, async ({ max_tokens: maxTokens, ...input }, context) =>
      recapOf(deps, { ...input, maxTokens }, context),
    ),
    implement(listInjections, async ({ memory_id: memoryId = null, session = null, limit, offset }, { userId }) => {
      const { db } = deps.memories.database;
      const { rows, total } = await injectionPage(db, { userId, memoryId, session, limit, offset });
      const memories = await memoriesByIds(db, userId, [...new Set(rows.map((row) => row.memory_id))]);
      const injections = rows.flatMap((row) => {
        const memory = memories.get(row.memory_id);
        const { memory_id, agent, folder } = row;
        const occasion = row.occasion === 'recap' ? ('recap' as const) : ('recall' as const);
        const words = { memory_id, occasion, agent, session: row.session, folder, injected_at: toUtc(row.injected_at) };
        return memory === undefined ? [] : [{ ...words, title: shownTitle(memory) }];
      });
      return { injections, total, has_more: offset + rows.length < total };
    }),
    implement(memorySweep, async (input, context) => {
      refuseFromElsewhere(context);
      const { transcript_path: path, agent = null, session = null, project = null, limit, dry_run: dryRun } = input;
      return sweepTranscript(deps, { path, agent, session, project, limit, dryRun }, context);
    }),
    implement(memoryTakeFile, async ({ path, agent = null, session = null, project = null }, context) => {
      refuseFromElsewhere(context);
      return takeFile(deps, { path, agent, session, project }, context);
    }),
    implement(memoryTakeSpool, async ({ wait }) => {
      const work = spool.takeIn();
      if (wait) return { ...(await work), waiting: spool.waiting() };
      work.catch((error: unknown) => deps.memories.logger.error({ err: error }, 'the spool could not be taken in'));
      return { waiting: spool.waiting(), taken: 0, failed: 0 };
    }),
  ];
}

function refuseFromElsewhere(context: CallContext): void {
  requireOwner(context);
  if (context.transport !== 'tcp') return;
  throw new LociError('forbidden', 'Files of this machine are read for its own user alone: call over the Unix socket.');
}
