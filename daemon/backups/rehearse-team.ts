// The newest backup brought back on trial, into a database of its own on the same server, which is dropped again.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { RetrievalQueries } from '#daemon/retrieval/retrieve-in-reader.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import { type PostgresSource, withClient } from '#daemon/storage/postgres/connection.ts';
import { loadDump, type TeamDatabase } from '#daemon/storage/postgres/dump.ts';
import { openPostgres } from '#daemon/storage/postgres/open-postgres.ts';
import { createReaderVectors } from '#daemon/storage/postgres/reader-vectors.ts';
import { LociError } from '#shared/errors.ts';
import { workFolder } from './backup-folder.ts';
import { dumpMember } from './backup-tasks.ts';
import { refuseOtherEngine, unpackWhole } from './copy-of-store.ts';
import type { BackupDeps } from './deps.ts';
import { askCopy, type Rehearsal } from './rehearse.ts';

/** Throws `conflict` where the backup does not give back what it holds, `unavailable` where no database may be made for the trial. */
export async function rehearseTeam(
  deps: BackupDeps,
  team: TeamDatabase,
  archive: string,
  { embedder, signal }: { readonly embedder: Embedder; readonly signal: AbortSignal | undefined },
): Promise<Rehearsal> {
  const folder = workFolder(deps.files.backups);
  try {
    const manifest = await unpackWhole(deps, archive, folder, signal);
    refuseOtherEngine(deps, manifest);
    const found = await inTrialDatabase(team.source, async (source) => {
      await loadDump({ ...team, source }, join(folder, dumpMember));
      const database = await openPostgres({ source, clock: deps.clock, logger: deps.logger });
      const reader = createReader<RetrievalQueries>({ source: { postgres: source }, logger: deps.logger });
      return askCopy({ database, reader, embedder }, (model) =>
        createReaderVectors({ reader, modelId: () => model().modelId }),
      );
    });
    return { memories: manifest.memories, ...found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One name for a team's database: what a killed daemon left is dropped by the next trial. */
async function inTrialDatabase<T>(source: PostgresSource, work: (trial: PostgresSource) => Promise<T>): Promise<T> {
  return withClient(source, async (client) => {
    const { rows } = await client.query(
      'SELECT datname AS name, datcollate AS collate, datctype AS ctype FROM pg_database WHERE datname = current_database()',
    );
    const { name, collate, ctype } = rows[0] as Record<'name' | 'collate' | 'ctype', string>;
    const trial = `${name.slice(0, 50)}_rehearsal`;
    const drop = `DROP DATABASE IF EXISTS ${quoted(trial)} WITH (FORCE)`;
    try {
      await client.query(drop);
      await client.query(
        `CREATE DATABASE ${quoted(trial)} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE ${literal(collate)} LC_CTYPE ${literal(ctype)}`,
      );
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new LociError(
        'unavailable',
        'The newest backup was read whole but not restored on trial: let the user of `storage.url` create databases (ALTER ROLE … CREATEDB).',
        { cause: 'postgres_42501' },
      );
    }
    try {
      const address = new URL(source.url);
      address.pathname = `/${encodeURIComponent(trial)}`;
      return await work({ ...source, url: address.href });
    } finally {
      await client.query(drop);
    }
  });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
