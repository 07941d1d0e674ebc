import { implement, type Operation } from '#daemon/kernel/operation.ts';
import * as contract from '#shared/contract/backups.ts';
import type { Backups } from './backups.ts';

/** They need no open store: `restore_backup` must work where it cannot be opened. */
export function backupOperations(backups: Backups): Operation[] {
  return [
    implement(contract.createBackup, () => backups.create('manual')),
    implement(contract.listBackups, async () => backups.list()),
    implement(contract.verifyBackup, ({ name }) => backups.verify(name)),
    implement(contract.restoreBackup, async ({ name }) => {
      const startedMs = performance.now();
      const { restored, saved } = await backups.restore(name);
      return { restored, saved_as: saved?.name ?? null, took_ms: Math.round(performance.now() - startedMs) };
    }),
    implement(contract.repairDatabase, async () => {
      const { setAside, ...repaired } = await backups.repair();
      return { ...repaired, set_aside: setAside };
    }),
  ];
}
