// A team's database is PostgreSQL's to keep whole: what can be mended from here is what is derived from the memories. For more there is
// `restore_backup`.
import type { TeamDatabase } from '#daemon/storage/postgres/dump.ts';
import { mendSchema } from '#daemon/storage/postgres/mend-schema.ts';
import type { BackupDeps } from './deps.ts';
import type { Repaired } from './repair.ts';

/** Compares what is derived with what it is derived from, and makes it anew where it differs. Throws `unavailable` where it cannot be asked. */
export async function repairTeam(deps: BackupDeps, { source }: TeamDatabase): Promise<Repaired> {
  const nothing = { backup: null, recovered: 0, restored: 0, setAside: null };
  const { faults, unfiled } = await mendSchema(source, { isTrial: false });
  if (faults.length === 0) return { fault: null, ...nothing };
  await deps.refile(unfiled);
  deps.logger.warn({ faults }, 'the team database was mended');
  return { fault: faults.join(', '), ...nothing };
}
