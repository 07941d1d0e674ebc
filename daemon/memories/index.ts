// The door of the memories room: its use-cases, operations and jobs.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { MemoryDeps } from './deps.ts';
import { factOperations } from './facts.operations.ts';
import { lifecycleOperations } from './lifecycle.operations.ts';
import { browseOperations } from './list-memories.ts';
import { noteOperations } from './notes/knowledge.operations.ts';
import { overviewOperations } from './overview.ts';
import { quarantineOperations } from './quarantine/quarantine.operations.ts';
import { upkeepOperations } from './upkeep/upkeep.operations.ts';

export { createAccesses } from './accesses.ts';
export { type Committed, commitChanges } from './commit.ts';
export type { MemoryDeps, MemorySettings } from './deps.ts';
export { guardAllows } from './duplicates/guard.ts';
export { type Cut, createPendingEmbeddings, type PendingEmbeddings, type PendingThing } from './embed-pending.ts';
export { entitiesOf } from './entities-of.ts';
export { eraseTraces } from './erasure/purge.ts';
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
export { judgeText } from './quarantine/judge-text.ts';
export { injectableOf } from './quarantine/quarantine.repository.ts';
export { projectNamesOf } from './record.ts';
export { checkSave, saveMemory, savePrepared } from './save.ts';
export type { SaveRequest } from './save-request.ts';
export { changeMemory } from './update.ts';
export { consolidateAfterSaves } from './upkeep/consolidate-after-saves.ts';

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
