// Words of the lifecycle vocabulary ↔ use-cases. No rule lives here.

import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { memoryDiff, memoryHistory, memoryRevert } from '#shared/contract/history.ts';
import {
  memoryArchive,
  memoryCheckpoint,
  memoryGet,
  memoryPurge,
  memorySave,
  memorySaveMany,
  memorySearch,
  memoryUpdate,
  saveInput,
} from '#shared/contract/lifecycle.ts';
import { archiveMemory } from './archive.ts';
import type { MemoryDeps } from './deps.ts';
import { purgeMemories } from './erasure/purge.ts';
import { diffVersions, historyOf, revertMemory } from './history.ts';
import { instantToMs, shownTitle } from './memory.ts';
import { saveInputToRequest } from './new-draft.ts';
import { inputToPatch } from './patch.ts';
import { memoryToRecord } from './record.ts';
import { saveMemory } from './save.ts';
import { saveMany } from './save-many.ts';
import { searchMemories } from './search.ts';
import { answerToWords } from './search-words.ts';
import { changeMemory, requireMemory } from './update.ts';

export function lifecycleOperations(deps: MemoryDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(memorySave, async (input, context) =>
      saveMemory(deps, await saveInputToRequest(deps, input, context), context),
    ),
    implement(memorySaveMany, async ({ memories, atomic }, context) => {
      const requests = await Promise.all(memories.map((input) => saveInputToRequest(deps, input, context)));
      return { results: [...(await saveMany(deps, requests, atomic, context))] };
    }),
    implement(memoryCheckpoint, async ({ task_summary: content, idempotency_key: _, ...input }, context) => {
      const given = saveInput.parse({ ...input, content, type: 'context', provenance: 'checkpoint' });
      return saveMemory(deps, await saveInputToRequest(deps, given, context), context);
    }),
    implement(memorySearch, async (input, context) => {
      const startedMs = performance.now();
      const answer = await searchMemories(
        deps,
        {
          query: input.query,
          project: input.project ?? null,
          type: input.type ?? null,
          mode: input.mode,
          depth: input.depth as 1 | 2 | 3,
          limit: input.limit,
          includeArchived: input.include_archived,
          asOfMs: instantToMs(input.as_of),
          explain: input.explain,
        },
        context,
      );
      return answerToWords(deps, answer, { ...input, startedMs });
    }),
    implement(memoryGet, async ({ id }, context) => {
      const memory = await requireMemory(deps, id, context);
      deps.accesses.count([id], context);
      return memoryToRecord(deps, db, memory);
    }),
    implement(memoryUpdate, async (input, context) =>
      changeMemory(deps, input.id, inputToPatch(deps, input), context, (memory, _changed, queries) =>
        memoryToRecord(deps, queries, memory),
      ),
    ),
    implement(memoryArchive, async ({ id, reason }, context) =>
      archiveMemory(deps, { id, reason: reason ?? null }, context),
    ),
    implement(memoryPurge, async ({ id }, context) => {
      await requireMemory(deps, id, context);
      return purgeMemories(deps, [id], context, ({ purged, rewritten, emptied }) => ({
        id,
        purged: purged > 0,
        rewritten: [...rewritten],
        purged_with: [...emptied],
      }));
    }),
    implement(memoryHistory, async ({ id }, context) => ({
      id,
      versions: (await historyOf(deps, id, context)).map((version) => ({
        version: version.version,
        action: version.action,
        recorded_from: toUtc(version.fromMs),
        recorded_to: toUtc(version.toMs),
        title: shownTitle(version.snapshot),
        content: version.snapshot.content,
        changed: version.changed.map(wireName),
        agent: version.agent,
      })),
    })),
    implement(memoryDiff, async ({ id, from, to }, context) => {
      const diff = await diffVersions(deps, { id, from: from ?? null, to: to ?? null }, context);
      return { id, ...diff, changes: diff.changes.map((change) => ({ ...change, field: wireName(change.field) })) };
    }),
    implement(memoryRevert, async ({ id, to }, context) =>
      revertMemory(deps, { id, to }, context, (memory, _changed, queries) => memoryToRecord(deps, queries, memory)),
    ),
  ];
}

/** `occurredAtMs` → `occurred_at`: the field as callers know it. */
function wireName(field: string): string {
  if (field === 'projectIds') return 'project';
  return field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
