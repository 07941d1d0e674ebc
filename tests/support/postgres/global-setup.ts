// One cluster for a run of tests, with a database that is migrated already: each test's own is a copy of it.
import type { TestProject } from 'vitest/node';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { openPostgres } from '#daemon/storage/postgres/open-postgres.ts';
import { runSql, startCluster } from './cluster.ts';

export const template = 'loci_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the cluster, for the tests of the project `postgres` alone. */
    readonly postgres?: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  await runSql(cluster.url('postgres'), `CREATE DATABASE ${template}`);
  const database = await openPostgres({
    source: { url: cluster.url(template), name: 'template' },
    clock: { now: Date.now },
    logger: silentLogger,
  });
  await database.close();
  project.provide('postgres', cluster.url('postgres'));
  return () => cluster.stop();
}
