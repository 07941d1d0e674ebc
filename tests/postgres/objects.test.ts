// A team's vector table in a bucket: one daemon writes it, all search it, and a bucket that is away costs nobody a save or an answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Table } from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createLanceClient, type LanceClient } from '#daemon/storage/lance/lance-client.ts';
import type { LanceQueries } from '#daemon/storage/lance/lance-table.ts';
import { bucketOptions } from '#daemon/storage/lance/object-store.ts';
import { projectIdsToText } from '#daemon/storage/vectors/scope-groups.ts';
import { atEnd } from '../support/at-end.ts';
import { createFakeEmbedder } from '../support/fake-embedder.ts';
import { installObjectStore, installTimeoutMs } from '../support/object-store/install-object-store.ts';
import type { TestObjectStore } from '../support/object-store/object-store.ts';
import { startObjectStore } from '../support/object-store/store-of-test.ts';
import { runSql } from '../support/postgres/cluster.ts';
import { databaseOf, storageSettings, urlOf } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore, type TestStore, type TestStoreOptions } from '../support/test-store.ts';

type Team = { readonly stores: TestStore[]; readonly database: string; readonly bucket: TestObjectStore };
type Options = Pick<TestStoreOptions, 'daemonEnv' | 'models'> & { readonly url?: string };

/** Daemons on one database and one bucket; every search by meaning goes to the table, however few rows there are. */
async function openTeam(size: number, bucket: TestObjectStore, options: Options = {}): Promise<Team> {
  const shared = tempFolder();
  const env = {
    ...(await storageSettings(shared)),
    LOCI_VECTORS_URL: options.url ?? bucket.url,
    LOCI_VECTORS_EXACT_LIMIT: '0',
  };
  const stores: TestStore[] = [];
  for (let index = 0; index < size; index += 1)
    stores.push(await openTestStore({ daemonEnv: bucket.env, ...options, home: tempFolder(), env }));
  return { stores, database: urlOf(databaseOf(shared)), bucket };
}

async function save(store: TestStore | undefined, content: string): Promise<number> {
  const saved = await store?.call<{ id: number }>('memory_save', { content, on_duplicate: 'keep' });
  return saved?.id ?? 0;
}

async function search(store: TestStore | undefined, query: string): Promise<number[]> {
  const found = await store?.call<{ results: { id: number }[] }>('memory_search', { query, mode: 'vector', limit: 50 });
  return found?.results.map(({ id }) => id) ?? [];
}

/** The state of the vector index as `loci status` shows it. */
async function stateOf(store: TestStore | undefined): Promise<{ status: string; why?: string }> {
  const health = await store?.call<{ vector_index: { status: string; why?: string } }>('memory_health');
  return health?.vector_index ?? { status: 'unknown' };
}

async function factOf({ database }: Team): Promise<{ table: string; seq: number; modelId: string } | null> {
  const rows = await runSql<{ value: string }>(
    database,
    "SELECT value FROM loci.store_facts WHERE key = 'vectors.shared'",
  );
  return rows[0] === undefined ? null : JSON.parse(rows[0].value);
}

/** Whether everything that the outbox lists is in the table. */
async function isWritten(team: Team): Promise<boolean> {
  const [last] = await runSql<{ seq: string }>(team.database, 'SELECT coalesce(max(seq), 0) AS seq FROM loci.outbox');
  return Number(last?.seq) > 0 && (await factOf(team))?.seq === Number(last?.seq);
}

async function openTable(team: Team): Promise<Table> {
  const connection = await connect(team.bucket.url, bucketOptions(team.bucket.env));
  return connection.openTable((await factOf(team))?.table ?? '');
}

/** Tables of the bucket, and the ids of the rows of the one in use. */
async function tableOf(team: Team): Promise<{ tables: string[]; ids: string[] }> {
  const connection = await connect(team.bucket.url, bucketOptions(team.bucket.env));
  const table = await connection.openTable((await factOf(team))?.table ?? '');
  const rows: { id: string }[] = await table.query().select(['id']).toArray();
  return { tables: await connection.tableNames(), ids: rows.map(({ id }) => id).sort() };
}

async function idsOfDatabase({ database }: Team, modelId = 'fake-384'): Promise<string[]> {
  const rows = await runSql<{ id: string }>(
    database,
    `SELECT v.kind || ':' || v.thing_id || ':' || v.passage AS id FROM loci.vectors v
      JOIN loci.searchables s ON s.kind = v.kind AND s.thing_id = v.thing_id AND s.rev = v.rev
      WHERE v.model_id = '${modelId}'`,
  );
  return rows.map(({ id }) => id).sort();
}

/** LanceDB's process as the daemon has it. */
function clientOf(place: string, env: Record<string, string>): LanceClient {
  const client = createLanceClient({ place, env, logger: silentLogger, idleMs: () => 60_000, timeoutMs: 30_000 });
  atEnd(() => client.close());
  return client;
}

function batchOf(from: number, count: number, rev: number): LanceQueries['write'][0] {
  const ids = Array.from({ length: count }, (_, index) => from + index + 1);
  const rows = ids.map((id) => ({
    ...{ kind: 'memory', id, rev, passage: 0, userId: 1, status: 'active', type: 'note' },
    projects: projectIdsToText([]),
  }));
  const vectors = new Float32Array(count * 4).fill(0.5);
  return { table: 'shared', dimensions: 4, rows, vectors, owners: rows };
}

const soon = { timeout: 20_000, interval: 100 };

it('a server of the S3 protocol is at hand', { timeout: installTimeoutMs }, async () => {
  expect(await installObjectStore('gofakes3')).toContain('gofakes3');
});

describe('a shared vector table', () => {
  it('what one daemon saves is found by meaning through the other within a second, and from the table ever after', async () => {
    const team = await openTeam(2, await startObjectStore());
    const [one, other] = team.stores;
    const first = await save(one, 'The harbour crane is serviced in May.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect(await search(other, 'harbour crane is serviced')).toEqual([first]); // the other has opened the table from here on
    const id = await save(one, 'Ferries to the island leave at noon.');
    const startedMs = performance.now();
    await expect.poll(() => search(other, 'ferries to the island'), { timeout: 1_000 }).toContain(id);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    const back = await save(other, 'The lighthouse keeper retires this year.');
    await expect.poll(() => search(one, 'lighthouse keeper retires'), { timeout: 1_000 }).toContain(back);
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect((await tableOf(team)).ids).toEqual(await idsOfDatabase(team));
    await sleep(2_500); // by now nothing is held beside the table
    for (const store of team.stores) expect(await search(store, 'lighthouse keeper')).toContain(back);
    for (const store of team.stores) expect(await stateOf(store)).toEqual({ status: 'ok' });
  });

  it('both daemons writing at once lose no row and double none', async () => {
    const team = await openTeam(2, await startObjectStore());
    const writers = team.stores.flatMap((store, daemon) =>
      Array.from({ length: 4 }, (_, writer) => ({ store, name: `writer ${writer} at daemon ${daemon}` })),
    );
    await Promise.all(
      writers.map(async ({ store, name }) => {
        for (let turn = 0; turn < 8; turn += 1) await save(store, `Note ${turn} of ${name} on topic ${turn * 31}.`);
      }),
    );
    await expect.poll(() => isWritten(team), soon).toBe(true);
    const { ids } = await tableOf(team);
    expect(ids).toHaveLength(64);
    expect(ids).toEqual(await idsOfDatabase(team));
    await team.stores[0]?.call('run_job', { name: 'reconcile' });
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect((await tableOf(team)).ids).toEqual(ids);
  });

  it('is what a search by meaning asks, and what it lacks the comparison with the database puts back', async () => {
    const team = await openTeam(2, await startObjectStore());
    const [one, other] = team.stores;
    const [kept, lost] = [await save(one, 'The north pier is closed.'), await save(one, 'The south pier is open.')];
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect(await search(other, 'south pier open')).toEqual([lost, kept]);
    const table = await openTable(team);
    await table.delete(`id = 'memory:${lost}:0'`);
    await sleep(2_500); // by now nothing is held beside the table
    for (const store of team.stores) expect(await search(store, 'south pier open')).toEqual([kept]);
    await one?.call('run_job', { name: 'reconcile' });
    await expect.poll(() => search(other, 'south pier open'), soon).toEqual([lost, kept]);
    await expect.poll(async () => (await tableOf(team)).ids, soon).toEqual(await idsOfDatabase(team));
  });

  it('a purged memory leaves the table, and the table that held it leaves the bucket', async () => {
    const team = await openTeam(2, await startObjectStore());
    const kept = await save(team.stores[0], 'The vault opens at nine.');
    const purged = await save(team.stores[0], 'The vault code word is persimmon.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    const before = await factOf(team);
    expect(await search(team.stores[1], 'vault code word')).toContain(purged);
    await team.stores[1]?.call('memory_purge', { id: purged }); // through the daemon that does not write the table
    expect(await search(team.stores[1], 'vault code word')).not.toContain(purged);
    await expect.poll(async () => (await factOf(team))?.table !== before?.table, soon).toBe(true);
    await expect
      .poll(async () => (await tableOf(team)).tables.filter((name) => name === before?.table), soon)
      .toEqual([]);
    expect((await tableOf(team)).ids).toEqual([`memory:${kept}:0`]);
    for (const store of team.stores) expect(await search(store, 'vault opens at nine')).toEqual([kept]);
  });

  it('while the bucket is away saves and searches go on, the status says so, and it catches up by itself', async () => {
    const bucket = await startObjectStore();
    const team = await openTeam(2, bucket);
    const [one, other] = team.stores;
    const before = await save(one, 'The mill wheel turns at dawn.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect(await search(other, 'mill wheel')).toContain(before);
    await bucket.kill();
    const during = await save(one, 'The weir is closed for repairs.');
    await expect.poll(() => search(other, 'weir is closed'), { timeout: 10_000 }).toContain(during);
    expect(await search(other, 'mill wheel')).toContain(before);
    await expect.poll(async () => (await stateOf(one)).why, soon).toMatch(/cannot be reached/);
    expect((await stateOf(one)).status).toBe('degraded');
    await bucket.start();
    await expect.poll(() => isWritten(team), { timeout: 40_000, interval: 200 }).toBe(true);
    await expect.poll(() => stateOf(one), soon).toEqual({ status: 'ok' });
    await expect.poll(() => stateOf(other), soon).toEqual({ status: 'ok' });
    expect((await tableOf(team)).ids).toEqual(await idsOfDatabase(team));
    for (const store of team.stores) expect(await search(store, 'weir is closed')).toContain(during);
  });

  it('when the daemon that writes it goes, the other goes on with it', async () => {
    const team = await openTeam(2, await startObjectStore());
    const [one, other] = team.stores;
    await save(one, 'The orchard has forty trees.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    await one?.close();
    const id = await save(other, 'The cider press stands in the barn.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    expect((await tableOf(team)).ids).toEqual(await idsOfDatabase(team));
    expect(await search(other, 'cider press')).toContain(id);
  });

  it('of another model takes the place of the former when everything is embedded anew', async () => {
    const next = createFakeEmbedder({ dimensions: 768, modelId: 'another' });
    const models: TestStoreOptions['models'] = ({ model }) => (model === 'another' ? next : undefined);
    const team = await openTeam(1, await startObjectStore(), { models });
    const [store] = team.stores;
    const id = await save(store, 'The saw mill runs on Fridays.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    const former = (await factOf(team))?.table;
    await store?.call('re_embed', { provider: 'huggingface', model: 'another' });
    await expect.poll(async () => (await factOf(team))?.modelId, soon).toBe('another');
    expect((await tableOf(team)).tables).not.toContain(former);
    expect((await tableOf(team)).ids).toEqual(await idsOfDatabase(team, 'another'));
    expect(await search(store, 'saw mill on Fridays')).toEqual([id]);
  });

  it('that has lost its files is built again from the database', async () => {
    const team = await openTeam(1, await startObjectStore());
    await save(team.stores[0], 'The bell rings twice.');
    await expect.poll(() => isWritten(team), soon).toBe(true);
    const lost = (await factOf(team))?.table ?? '';
    await (await connect(team.bucket.url, bucketOptions(team.bucket.env))).dropTable(lost);
    await save(team.stores[0], 'The clock tower is closed on Mondays.');
    await expect.poll(async () => (await factOf(team))?.table !== lost && (await isWritten(team)), soon).toBe(true);
    expect((await tableOf(team)).ids).toEqual(await idsOfDatabase(team));
  });
});

describe('two daemons that both hold themselves for the one that writes the table', () => {
  it('write the same rows at once, and each row is there once, as one of them wrote it', async () => {
    const { url, env } = await startObjectStore();
    const processes = [1, 2].map(() => clientOf(url, env));
    const [one, other] = processes as [LanceClient, LanceClient];
    await one.ask('create', { table: 'shared', dimensions: 4 });
    await other.ask('open', { table: 'shared' });
    for (let round = 0; round < 6; round += 1) {
      const batches = processes.map((_, writer) => batchOf(round * 50, 50, writer + 1));
      await Promise.all(processes.map((each, writer) => each.ask('write', batches[writer] ?? batchOf(0, 0, 0))));
    }
    const { ids } = await other.ask('revisions', { table: 'shared' });
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
  });

  it('write other rows at once, and none is lost', async () => {
    const { url, env } = await startObjectStore();
    const processes = [1, 2].map(() => clientOf(url, env));
    const [one, other] = processes as [LanceClient, LanceClient];
    await one.ask('create', { table: 'shared', dimensions: 4 });
    await other.ask('open', { table: 'shared' });
    await Promise.all(
      processes.map(async (each, writer) => {
        for (let round = 0; round < 6; round += 1) await each.ask('write', batchOf(writer * 1_000 + round * 20, 20, 1));
      }),
    );
    expect(new Set((await one.ask('revisions', { table: 'shared' })).ids).size).toBe(240);
  });
});

describe('a vector table that cannot be had', () => {
  const saying = async (options: Options): Promise<string | undefined> => {
    const team = await openTeam(1, await startObjectStore(), options);
    const id = await save(team.stores[0], 'The quarry is flooded.');
    expect(await search(team.stores[0], 'quarry is flooded')).toEqual([id]);
    await expect.poll(async () => (await stateOf(team.stores[0])).status, soon).toBe('degraded');
    return (await stateOf(team.stores[0])).why;
  };

  it('for want of its bucket says which setting to mend, and memories are found all the same', async () => {
    expect(await saying({ url: 's3://no-such-bucket/loci' })).toMatch(/bucket that `vectors.url` names does not exist/);
  });

  it('for want of keys says which to set', async () => {
    const { AWS_ENDPOINT_URL = '', AWS_ALLOW_HTTP = '' } = (await startObjectStore()).env;
    const daemonEnv = { AWS_ENDPOINT_URL, AWS_ALLOW_HTTP, AWS_EC2_METADATA_DISABLED: 'true' };
    expect(await saying({ daemonEnv })).toMatch(/set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  });

  it('over a network that is not encrypted, unless that is allowed', async () => {
    const { AWS_ALLOW_HTTP: _, ...daemonEnv } = (await startObjectStore()).env;
    expect(await saying({ daemonEnv })).toMatch(/not encrypted: use https:\/\/, or set AWS_ALLOW_HTTP=true/);
  });
});
