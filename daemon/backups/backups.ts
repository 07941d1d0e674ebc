// The room's door to its work: one thing at a time, because two backups at once would take one sequence, and a restore between them
// would be saved half.
import { rmSync } from 'node:fs';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { toUtc } from '#daemon/kernel/clock.ts';
import { schemaVersion } from '#daemon/storage/migrate.ts';
import type { TeamDatabase } from '#daemon/storage/postgres/dump.ts';
import { olderFacts } from '#daemon/storage/postgres/schema-facts.ts';
import { isOlder, lookInto } from '#daemon/storage/snapshot.ts';
import { LociError } from '#shared/errors.ts';
import {
  fileOfBackup,
  type Ledger,
  type Listed,
  listFolder,
  noBackup,
  prepareBackupFolder,
  readLedger,
  workFolder,
  writeLedger,
} from './backup-folder.ts';
import { unpackWhole } from './copy-of-store.ts';
import { createBackup } from './create.ts';
import type { BackupDeps } from './deps.ts';
import { type Backup, type BackupReason, manifestToBackup } from './manifest.ts';
import { type Rehearsal, rehearseRestore } from './rehearse.ts';
import { rehearseTeam } from './rehearse-team.ts';
import { type Repaired, repairDatabase } from './repair.ts';
import { repairTeam } from './repair-team.ts';
import { type Restored, restoreBackup } from './restore.ts';
import { restoreTeam } from './restore-team.ts';

export type Backups = {
  create(reason: BackupReason, signal?: AbortSignal): Promise<Backup>;
  list(): Promise<Listed & { readonly rehearsed: Ledger['rehearsed'] }>;
  verify(name: string): Promise<Backup>;
  restore(name: string): Promise<Restored>;
  /** Examines the database and makes it whole again where it is damaged; `loci doctor --repair` calls it too. */
  repair(): Promise<Repaired>;
  /** Restores the newest backup on trial; null where there is none. */
  rehearse(embedder: Embedder, signal?: AbortSignal): Promise<Rehearsal | null>;
  /** Saves a store with memories that this version is about to migrate. */
  beforeOpening(): Promise<void>;
  /** What health tells, without reading a file: times of the newest backup and of the last trial. */
  state(): { readonly lastAt: string | null; readonly rehearsedAt: string | null };
};

export function createBackups(deps: BackupDeps): Backups {
  const { files, clock, logger, team } = deps;
  let last: Promise<unknown> = Promise.resolve();
  let newest: string | null = null;
  let rehearsed: Ledger['rehearsed'] = null;
  tidy(deps);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  }

  async function list(): Promise<Listed> {
    const listed = await listFolder(files.backups);
    newest = listed.backups[0]?.created_at ?? null;
    rehearsed = readLedger(files.backups).rehearsed;
    return listed;
  }

  async function nameOf(given: string): Promise<string> {
    if (given !== 'latest') return given;
    const [latest] = (await list()).backups;
    if (latest === undefined) throw noBackup('latest');
    return latest.name;
  }

  function create(reason: BackupReason, signal?: AbortSignal): Promise<Backup> {
    return inTurn(async () => {
      const backup = await createBackup(deps, reason, signal);
      newest = backup.created_at;
      return backup;
    });
  }

  return {
    create,
    async list() {
      const listed = await list();
      return { ...listed, rehearsed };
    },
    async verify(given) {
      const name = await nameOf(given);
      const archive = fileOfBackup(files.backups, name);
      // beside the database: a backup on a disk that may only be read can be looked at too
      const folder = workFolder(files.data);
      try {
        const manifest = await unpackWhole(deps, archive, folder);
        const listed = (await list()).backups.find((backup) => backup.name === name);
        return listed ?? manifestToBackup(manifest, name, 0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    restore: (given) =>
      inTurn(async () => {
        const name = await nameOf(given);
        const restored = await (team === undefined ? restoreBackup(deps, name) : restoreTeam(deps, team, name));
        await list();
        return restored;
      }),
    repair: () => inTurn(() => (team === undefined ? repairDatabase(deps) : repairTeam(deps, team))),
    async rehearse(embedder, signal) {
      const [latest] = (await list()).backups;
      if (latest === undefined) return null;
      const archive = fileOfBackup(files.backups, latest.name);
      const rehearsal = await (team === undefined
        ? rehearseRestore(deps, archive, embedder, signal)
        : rehearseTeam(deps, team, archive, { embedder, signal }));
      await inTurn(async () => {
        rehearsed = { name: latest.name, at: toUtc(clock.now()) };
        writeLedger(files.backups, { ...readLedger(files.backups), rehearsed });
      });
      return rehearsal;
    },
    async beforeOpening() {
      if (team !== undefined) return saveTeamBeforeMigration(deps, team);
      if (!isOlder(files.database)) return;
      const found = lookInto(files.database);
      if (found === null || found.memories === 0) return;
      const { name } = await createBackup(deps, 'before_migration').catch((error: unknown) => {
        logger.error({ err: error }, 'no backup could be made before the migration');
        throw new LociError(
          'unavailable',
          'This version of Loci must migrate the database and could not save it first: free some space and try again.',
        );
      });
      logger.info({ name, from: found.schema, to: schemaVersion }, 'saved before the migration');
    },
    state: () => ({ lastAt: newest, rehearsedAt: rehearsed?.at ?? null }),
  };
}

/** Without the programs for it a team's upgrade goes on: it has backups of its own kind, and a migration is one transaction. */
async function saveTeamBeforeMigration(deps: BackupDeps, { source }: TeamDatabase): Promise<void> {
  try {
    const found = await olderFacts(source);
    if (found === null || found.memories === 0) return;
    const { name } = await createBackup(deps, 'before_migration');
    deps.logger.info({ name, from: found.schema, to: schemaVersion }, 'saved before the migration');
  } catch (error) {
    // a database that cannot be reached says so when it is opened
    deps.logger.warn({ err: error }, 'no backup was made before the team database is opened');
  }
}

/** Takes away what a killed daemon left half done. Once, before any work: later it would take away work under way. */
function tidy({ files, logger }: BackupDeps): void {
  for (const folder of [files.data, files.backups]) {
    try {
      prepareBackupFolder(folder);
    } catch (error) {
      logger.warn({ err: error }, 'a folder could not be tidied'); // whoever needs it next says why
    }
  }
}
