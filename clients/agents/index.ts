// The door of the agents: which are there, what setup writes for them, and what it has written.
export { type AgentName, agentNames, type LociProgram, type Machine } from './agent.ts';
export { agents } from './agents.ts';
export { type Detected, detectAgents } from './detect.ts';
export type { FileChange } from './edits/file-change.ts';
export { type AgentState, type FoundHook, type FoundServer, inspectAgent } from './inspect.ts';
export { type Ledger, type LedgerFile, readLedger, setupFolder } from './ledger.ts';
export { lociProgram } from './loci-program.ts';
export { machineOf, programOnPath } from './machine.ts';
export { projectEdit, projectOwner, projectRoot } from './project-section.ts';
export { applySetup, planSetup, type SetupPlan, type SetupRequest } from './setup.ts';
export { withSetupLock } from './setup-lock.ts';
export { applyUndo, planUndo } from './undo.ts';
