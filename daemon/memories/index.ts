// The door of the memories room: its use-cases, operations and jobs.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { MemoryDeps } from './deps.ts';
import { factOperations } from './facts.operations.ts';
import { noteOperations } from './knowledge.operations.ts';
import { lifecycleOperations } from './lifecycle.operations.ts';
import { browseOperations } from './list-memories.ts';
import { overviewOperations } from './overview.ts';
import { quarantineOperations } from './quarantine.operations.ts';
import { upkeepOperations } from './upkeep.operations.ts';

export { createAccesses } from './accesses.ts';
export { type Committed, commitChanges } from './commit.ts';
export { consolidateAfterSaves } from './consolidate-after-saves.ts';
export type { MemoryDeps, MemorySettings } from './deps.ts';
export { type Cut, createPendingEmbeddings, type PendingEmbeddings, type PendingThing } from './embed-pending.ts';
export { entitiesOf } from './entities-of.ts';
export { guardAllows } from './guard.ts';
export { fileMemory, refileMemory } from './index-memory.ts';
export { memoryJobs } from './memories.jobs.ts';
export { memoriesByIds, memoryById } from './memories.repository.ts';
export {
  contentHash,
  cutAtWord,
  embeddedText,
  hasWord,
  isLive,
  type Memory,
  type MemoryDraft,
  shownTitle,
} from './memory.ts';
export { emptyDraft } from './new-draft.ts';
export { pendingMemory } from './pending-memory.ts';
export { type PreparedText, prepareText, prepareWhole } from './prepare-text.ts';
export { eraseTraces } from './purge.ts';
export { injectableOf } from './quarantine.repository.ts';
export { judgeText } from './quarantine.ts';
export { projectNamesOf } from './record.ts';
export { checkSave, type SaveRequest, saveMemory, savePrepared } from './save.ts';
export { changeMemory } from './update.ts';

export function memoryOperations(deps: MemoryDeps, health: () => 'ok' | 'degraded' | 'down'): Operation[] {
  return [
    ...factOperations(deps),
    ...lifecycleOperations(deps),
    ...upkeepOperations(deps),
    ...quarantineOperations(deps),
    ...noteOperations(deps),
    ...browseOperations(deps),
    ...overviewOperations(deps, health),
  ];
}
