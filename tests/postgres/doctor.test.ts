// What the doctor says of a team's database.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorDeps, Finding } from '#clients/doctor/check.ts';
import { storeAgrees } from '#clients/doctor/store-agrees.ts';
import { teamFindings } from '#clients/doctor/team-database.ts';
import { checkTeam } from '#daemon/check-team.ts';
import { schemaVersion } from '#daemon/storage/migrate.ts';
import { resolvePaths } from '#shared/paths.ts';
import type { TeamCheck } from '#shared/store-check.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { root } from '../support/source-tree.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore } from '../support/test-store.ts';

const well: TeamCheck = {
  why: null,
  server: 15,
  encoding: 'UTF8',
  schema: { found: schemaVersion, known: schemaVersion },
  vectors: { stored: 3, pending: 0 },
  daemons: 2,
  leader: 'locid one',
  programs: [15],
  faults: [],
};
const notWell = (found: TeamCheck): Finding[] => teamFindings(found).filter(({ status }) => status !== 'ok');

describe('the doctor', () => {
  it('finds nothing in a team that is well, also while its daemons work, and says who does the upkeep', async () => {
    const home = tempFolder();
    const env = await storageSettings(home);
    const store = await openTestStore({ home, env });
    await store.call('memory_save', { content: 'The harbour crane is serviced in May.' });
    const found = await checkTeam({ url: env.LOCI_STORAGE_URL as string, name: 'loci doctor' }, {});
    expect(found).toMatchObject({
      daemons: 1,
      leader: expect.stringMatching(/^locid /),
      vectors: { stored: 1, pending: 0 },
    });
    expect(notWell(found)).toEqual([]);
    expect(await store.call('memory_health')).toMatchObject({ team: { status: 'ok', leads: true } });
  });

  it('asks `locid --check`, which is told of the database by the settings', async () => {
    const home = tempFolder();
    const storage = await storageSettings(home);
    const env = { HOME: home, LOCI_HOME: home, PATH: process.env.PATH, ...storage };
    const deps = {
      env,
      paths: resolvePaths(env),
      program: join(root, 'dist/locid.js'),
      daemon: null,
    } as unknown as DoctorDeps;
    const findings = await storeAgrees.run(deps);
    expect(findings.map(({ about }) => about)).toEqual(
      expect.arrayContaining(['team database', 'team schema', 'team store']),
    );
    expect(JSON.stringify(findings)).not.toContain(storage.LOCI_STORAGE_URL);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it('names what does not agree, and the repair makes it agree', async () => {
    const home = tempFolder();
    const store = await openTestStore({ home });
    await store.call('memory_save', { content: 'The harbour crane is serviced in May.', project: 'harbour' });
    const source = { url: urlOf(databaseOf(home)), name: 'loci doctor' };
    await runSql(source.url, 'UPDATE loci.search_terms SET holders = holders + 1');
    await runSql(source.url, 'UPDATE loci.thing_counts SET things = 7');
    expect(notWell(await checkTeam(source, {}))).toMatchObject([
      {
        about: 'team store',
        status: 'broken',
        mend: 'loci doctor --repair',
        says: expect.stringMatching(/counted wrong.*1 totals of lists/),
      },
    ]);
    await store.call('repair_database');
    expect(notWell(await checkTeam(source, {}))).toEqual([]);
    expect(await store.call('list_projects')).toMatchObject({ total: 1 });
  });

  it('says of a database that cannot be reached, is too old, keeps no UTF-8 or is newer what to run', async () => {
    const away = await checkTeam({ url: 'postgres://127.0.0.1:9/loci', name: 'loci doctor' }, {});
    expect(notWell(away)).toMatchObject([{ status: 'broken', says: expect.stringMatching(/cannot be reached/) }]);
    expect(notWell({ ...well, server: 14 })).toMatchObject([
      { status: 'broken', says: expect.stringMatching(/15 or newer/) },
    ]);
    expect(notWell({ ...well, encoding: 'LATIN1' })).toMatchObject([{ mend: expect.stringMatching(/UTF8/) }]);
    const newer = { found: schemaVersion + 1, known: schemaVersion };
    expect(notWell({ ...well, schema: newer })).toMatchObject([
      { status: 'broken', says: expect.stringMatching(/newer/) },
    ]);
  });

  it('says where no pg_dump fits the server, and where no daemon does the upkeep', () => {
    expect(notWell({ ...well, server: 17, programs: [15] })).toMatchObject([
      { about: 'pg_dump', status: 'notice', mend: 'apt-get install postgresql-client-17' },
    ]);
    expect(notWell({ ...well, leader: null })).toMatchObject([{ about: 'team daemons', status: 'notice' }]);
    expect(notWell({ ...well, leader: null, daemons: 0 })).toEqual([]);
  });
});
