// Bringing a backup back into a team's database, under all its daemons. While it happens this one holds the lock that every write needs, so
// no change of another daemon falls between what is saved before and what takes its place; and one transaction exchanges the whole schema,
// so whatever ends midway leaves it as it was. A new mark in it tells the other daemons to open the store anew (change-feed.ts).
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newUid } from '#daemon/kernel/ids.ts';
import { vectorTableFacts } from '#daemon/storage/lance/lance-facts.ts';
import {
  lockClass,
  type PostgresClient,
  schema,
  schemaLock,
  withClient,
  writeLock,
} from '#daemon/storage/postgres/connection.ts';
import { loadDump, refuseNewer, type TeamDatabase } from '#daemon/storage/postgres/dump.ts';
import { hasTable, lastChange } from '#daemon/storage/postgres/schema-facts.ts';
import { newStoreMark } from '#daemon/storage/postgres/store-mark.ts';
import { fileOfBackup, workFolder } from './backup-folder.ts';
import { dumpMember } from './backup-tasks.ts';
import { refuseOtherEngine, unpackWhole } from './copy-of-store.ts';
import { createBackup } from './create.ts';
import type { BackupDeps } from './deps.ts';
import { type Backup, manifestToBackup } from './manifest.ts';
import type { Restored } from './restore.ts';

/** Throws `not_found`, `conflict` for a damaged backup, one of a newer version or of another engine; the store is as it was then. */
export async function restoreTeam(deps: BackupDeps, team: TeamDatabase, name: string): Promise<Restored> {
  const archive = fileOfBackup(deps.files.backups, name);
  const work = workFolder(deps.files.backups);
  try {
    const manifest = await unpackWhole(deps, archive, work);
    refuseOtherEngine(deps, manifest);
    refuseNewer(manifest.schema);
    const saved = await exchangeSchema(deps, team, join(work, dumpMember));
    deps.logger.info({ name, saved: saved?.name }, 'backup restored into the team database');
    return { restored: manifestToBackup(manifest, name, statSync(archive).size), saved };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The restored facts about a shared vector table are of another state of it: it is built anew. */
const forgetVectorTable = `DELETE FROM ${schema}.store_facts WHERE key IN (${vectorTableFacts.map((key) => `'${key}'`).join(', ')})`;

type Saved = { readonly backup: Backup; readonly upTo: number } | null;

async function exchangeSchema(deps: BackupDeps, team: TeamDatabase, dump: string): Promise<Backup | null> {
  let saved: Saved = null;
  const last = [newStoreMark(newUid(deps.clock.now())), forgetVectorTable];
  await deps.exchange({
    async whileQuiet() {
      saved = await withClient(team.source, (client) => saveState(deps, client, null));
    },
    whileClosed: () =>
      withClient(team.source, async (client) => {
        for (const lock of [schemaLock, writeLock])
          await client.query(`SELECT pg_advisory_lock(${lockClass}, ${lock})`);
        saved = await saveState(deps, client, saved);
        await loadDump(team, dump, last);
      }),
    async undo() {
      if (saved === null) return;
      const work = workFolder(deps.files.backups);
      try {
        await unpackWhole(deps, fileOfBackup(deps.files.backups, saved.backup.name), work);
        await loadDump(team, join(work, dumpMember), last);
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  });
  return (saved as Saved)?.backup ?? null;
}

/** Null where there is nothing to save; what was saved a moment ago, where nothing was changed since. */
async function saveState(deps: BackupDeps, client: PostgresClient, known: Saved): Promise<Saved> {
  if (!(await hasTable(client, 'memories'))) return null;
  const upTo = await lastChange(client);
  if (known !== null && known.upTo === upTo) return known;
  return { backup: await createBackup(deps, 'before_restore'), upTo };
}
