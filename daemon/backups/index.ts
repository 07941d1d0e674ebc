// The door of the room of backups: made while the store works, checked before they count, brought back without a restart.
export { backupJobs } from './backups.jobs.ts';
export { backupOperations } from './backups.operations.ts';
export { type Backups, createBackups } from './backups.ts';
export type { BackupDeps, Exchange } from './deps.ts';
export { runInThread } from './in-thread.ts';
