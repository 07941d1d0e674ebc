import { describe, expect, it } from 'vitest';
import type { CallContext } from '#daemon/kernel/context.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { ChangeEvent } from '#daemon/kernel/events.ts';
import { createInvoke } from '#daemon/kernel/invoke.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { createProjects } from '#daemon/projects/index.ts';
import { createAnswerStore } from '#daemon/storage/answers.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { openTempDatabase } from '../../support/temp-database.ts';

async function house() {
  const { database, clock } = await openTempDatabase();
  const published: VectorChange[] = [];
  const events: ChangeEvent[] = [];
  const projects = createProjects({
    database,
    clock,
    events: { announce: (event) => events.push(event) },
    vectors: { publish: (changes) => published.push(...changes) },
    followers: [],
  });
  const invoke = createInvoke({
    registry: createRegistry(projects.operations),
    answers: createAnswerStore(database, clock),
  });
  const call = <T = Record<string, unknown>>(name: string, input: unknown, context: CallContext = internalContext) =>
    invoke(name, input, context) as Promise<T>;
  const make = (name: string, context = internalContext) => {
    clock.advance(1_000);
    return database.write(context, (trx) => projects.ensure(trx, context, name));
  };
  const names = async (name?: string) =>
    (await call<{ projects: { name: string }[] }>('list_projects', name === undefined ? {} : { name })).projects.map(
      (project) => project.name,
    );

  /** A memory as the memories room files it, in the projects given; the first is the primary one. */
  const remember = (content: string, projectIds: readonly number[], status = 'active') =>
    database.write(internalContext, async (trx) => {
      const nowMs = clock.now();
      const { id } = await trx
        .insertInto('memories')
        .values({
          uid: content,
          user_id: 1,
          type: 'fact',
          status,
          content,
          content_hash: content,
          primary_project_id: projectIds[0] ?? null,
          created_at: nowMs,
          updated_at: nowMs,
          occurred_at: nowMs,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [position, project_id] of projectIds.entries()) {
        await trx.insertInto('memory_projects').values({ memory_id: id, project_id, position }).execute();
      }
      const key = { kind: 'memory', thing_id: id, rev: 1 };
      await trx
        .insertInto('searchables')
        .values({ ...key, user_id: 1, status, type: 'fact', projects: `,${projectIds.join(',')},`, body: content })
        .execute();
      const blob = Buffer.from(Float32Array.of(id, 0.5).buffer);
      await trx
        .insertInto('vectors')
        .values({ ...key, model_id: 'm', passage: 0, blob })
        .execute();
      return id;
    });
  const project = async (name: string) =>
    database.db.selectFrom('projects').selectAll().where('name', '=', name).executeTakeFirst();
  return { database, clock, projects, call, make, names, remember, project, published, events };
}

describe('a project by its name', () => {
  it('is made on first use with type development, no description, and a row in the change log', async () => {
    const { database, make, project } = await house();
    const id = await make('  Storefront ');
    expect(await project('Storefront')).toMatchObject({
      id,
      name_key: 'storefront',
      project_type: 'development',
      description: '',
      status: 'active',
    });
    expect(await database.db.selectFrom('change_log').select(['kind', 'thing_id', 'action']).execute()).toEqual([
      { kind: 'project', thing_id: id, action: 'created' },
    ]);
  });

  it('is one project in every spelling, and another user has one of their own', async () => {
    const { make } = await house();
    const id = await make('Straße');
    expect(await make('STRASSE')).toBe(id);
    expect(await make('straße')).toBe(id);
    expect(await make('Straße', { ...internalContext, userId: 2 })).not.toBe(id);
  });

  it('held by several means the oldest active one', async () => {
    const { database, clock, projects } = await house();
    await database.write(internalContext, async (trx) => {
      for (const [id, status, created_at] of [
        [11, 'archived', 1],
        [12, 'active', 3],
        [13, 'active', 2],
      ] as const) {
        const row = { id, uid: `p${id}`, user_id: 1, name: 'shop', name_key: 'shop', status, created_at };
        await trx
          .insertInto('projects')
          .values({ ...row, updated_at: clock.now() })
          .execute();
      }
    });
    expect(await projects.idByName(database.db, 1, 'Shop')).toBe(13);
    expect(await projects.idByName(database.db, 2, 'Shop')).toBeNull();
  });

  it('that does not exist is answered with near names', async () => {
    const { database, projects, make, call } = await house();
    for (const name of ['github.com/acme/shop', 'shop-frontend', 'billing']) await make(name);
    expect(await projects.near(database.db, 1, 'Shop')).toEqual(['github.com/acme/shop', 'shop-frontend']);
    expect(await projects.near(database.db, 1, 'biling')).toEqual(['billing']);
    expect(await projects.near(database.db, 1, 'zzz')).toEqual([]);
    await expect(call('alias_project', { name: 'biling', alias: 'b' })).rejects.toMatchObject({
      code: 'not_found',
      details: { name: 'no such project', near: ['billing'] },
    });
  });
});

describe('list_projects', () => {
  it('B05 an underscore, a percent sign and a backslash in a name stand for themselves', async () => {
    const { make, names } = await house();
    for (const name of ['a_b', 'axb', '100%', '1000', 'c\\d', 'cxd']) await make(name);
    expect(await names('a_b')).toEqual(['a_b']);
    expect(await names('A_B')).toEqual(['a_b']);
    expect(await names('100%')).toEqual(['100%']);
    expect(await names('\\')).toEqual(['c\\d']);
    expect(await names('%')).toEqual(['100%']);
    expect(await names('_')).toEqual(['a_b']);
    expect(await names('x')).toEqual(['cxd', 'axb']);
  });

  it('B68 quotes in a name match only that name, in lists, aliases and merges', async () => {
    const { make, names, call, remember, project } = await house();
    const quoted = ["it's", "x' OR 'q'='q", 'say "hi"); --'];
    for (const name of [...quoted, 'other']) await make(name);
    for (const name of quoted) expect(await names(name)).toEqual([name]);
    await remember('kept', [(await project('other'))?.id ?? 0]);
    await remember('moved', [(await project("x' OR 'q'='q"))?.id ?? 0]);
    expect(await call('merge_projects', { from: "x' OR 'q'='q", into: "it's" })).toMatchObject({ moved: 1 });
    expect(await call('alias_project', { name: 'other', alias: "a' --" })).toMatchObject({ aliases: ["a' --"] });
    expect((await project('other'))?.memory_count).toBe(1);
    expect((await project("it's"))?.memory_count).toBe(1);
  });

  it('lists the newest first and pages with a total', async () => {
    const { make, call } = await house();
    for (const name of ['one', 'two', 'three']) await make(name);
    const page = await call<{ projects: { name: string }[] }>('list_projects', { limit: 2, offset: 1 });
    expect(page).toMatchObject({ total_count: 3, total: 3, has_more: false });
    expect(page.projects.map((project) => project.name)).toEqual(['two', 'one']);
    expect(await call('list_projects', { limit: 2 })).toMatchObject({ has_more: true });
  });
});

describe('alias_project', () => {
  it('makes another name stand for a project, in any case, and repeating it changes nothing', async () => {
    const { database, projects, make, call, events } = await house();
    const id = await make('github.com/acme/shop');
    const answer = { id, name: 'github.com/acme/shop', aliases: ['Shop'] };
    expect(await call('alias_project', { name: 'github.com/acme/shop', alias: 'Shop' })).toEqual(answer);
    expect(await call('alias_project', { name: 'SHOP', alias: 'shop' })).toEqual(answer);
    expect(await make('sHoP')).toBe(id);
    expect(await projects.shownName(database.db, 1, 'shop')).toBe('github.com/acme/shop');
    expect(events.map((event) => event.name)).toEqual(['project.updated']);
  });

  it('refuses the name of another project: its memories would be hidden', async () => {
    const { make, call } = await house();
    await make('a');
    await make('b');
    await expect(call('alias_project', { name: 'a', alias: 'B' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('merge_projects', () => {
  it('moves memories, primary project, filters, vectors and counters, and leaves an alias', async () => {
    const { database, make, call, remember, project, published, events } = await house();
    const [from, into, third] = [await make('old'), await make('new'), await make('third')];
    const alone = await remember('alone', [from]);
    const second = await remember('second', [third, from]);
    const both = await remember('both', [into, from]);
    const first = await remember('first', [from, third, into]);
    const archived = await remember('archived', [from], 'archived');
    const apart = await remember('apart', [third]);
    await database.db.updateTable('memories').set({ rev: 4 }).where('id', '=', archived).execute();

    expect(await call('merge_projects', { from: 'OLD', into: 'new' })).toEqual({ id: into, name: 'new', moved: 5 });

    const rows = await database.db.selectFrom('searchables').select(['thing_id', 'projects', 'rev']).execute();
    expect(new Map(rows.map((row) => [row.thing_id, `${row.projects} ${row.rev}`]))).toEqual(
      new Map([
        [alone, `,${into}, 2`],
        [second, `,${third},${into}, 2`],
        [both, `,${into}, 2`],
        [first, `,${into},${third}, 2`],
        [archived, `,${into}, 5`],
        [apart, `,${third}, 1`],
      ]),
    );
    const memories = await database.db.selectFrom('memories').select(['id', 'primary_project_id', 'rev']).execute();
    const primary = new Map(memories.map((row) => [row.id, row.primary_project_id]));
    expect([alone, second, both, first, archived, apart].map((id) => primary.get(id))).toEqual([
      into,
      third,
      into,
      into,
      into,
      third,
    ]);
    expect((await project('new'))?.memory_count).toBe(4);
    expect((await project('third'))?.memory_count).toBe(3);
    expect(await project('old')).toBeUndefined();

    const outbox = await database.db.selectFrom('outbox').select(['thing_id', 'rev']).orderBy('thing_id').execute();
    expect(outbox).toEqual([
      ...[alone, second, both, first].map((thing_id) => ({ thing_id, rev: 2 })),
      { thing_id: archived, rev: 5 },
    ]);
    const vectors = await database.db.selectFrom('vectors').select(['thing_id', 'rev']).execute();
    const revs = new Map(vectors.map((row) => [row.thing_id, row.rev]));
    expect([alone, apart, archived].map((id) => revs.get(id))).toEqual([2, 1, 1]);
    expect(published.find((change) => change.id === second)).toMatchObject({
      kind: 'memory',
      rev: 2,
      projectIds: [third, into],
      modelId: 'm',
      vectors: [{ passage: 0, vector: Float32Array.of(second, 0.5) }],
    });
    // the vectors of the archived one are of an older text
    expect(published.map((change) => change.id).sort()).toEqual([alone, second, both, first].sort());
    expect(events.map((event) => event.name)).toEqual(['project.merged']);
    expect(await make('Old')).toBe(into);
  });

  it('repeated, it is a success that moves nothing', async () => {
    const { make, call, remember } = await house();
    await remember('m', [await make('a')]);
    await make('b');
    expect(await call('merge_projects', { from: 'a', into: 'b' })).toMatchObject({ moved: 1 });
    expect(await call('merge_projects', { from: 'a', into: 'b' })).toMatchObject({ moved: 0 });
  });

  it('under one idempotency key it answers the same twice', async () => {
    const { make, call, remember } = await house();
    for (const name of ['a', 'b']) await make(name);
    await remember('m', [1]);
    const input = { from: 'a', into: 'b', idempotency_key: 'k' };
    const answer = await call('merge_projects', input);
    expect(answer).toMatchObject({ moved: 1 });
    expect(await call('merge_projects', input)).toEqual(answer);
  });

  it('aliases of the old project stand for the new one, and its description is kept where the new one has none', async () => {
    const { database, make, call, project } = await house();
    const old = await make('a');
    const into = await make('b');
    await call('alias_project', { name: 'a', alias: 'z' });
    await database.db.updateTable('projects').set({ description: 'About a.' }).where('id', '=', old).execute();
    await call('merge_projects', { from: 'a', into: 'b' });
    expect(await make('z')).toBe(into);
    expect((await project('b'))?.description).toBe('About a.');
  });

  it('several parts are moved, and the event loop turns between them', async () => {
    const { make, call, remember, project } = await house();
    const from = await make('a');
    await make('b');
    for (let index = 0; index < 250; index += 1) await remember(`m${index}`, [from]);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    expect(await call('merge_projects', { from: 'a', into: 'b' })).toMatchObject({ moved: 250 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    expect((await project('b'))?.memory_count).toBe(250);
  });

  it('a project is not merged into itself, and unknown names are named', async () => {
    const { make, call } = await house();
    await make('a');
    await expect(call('merge_projects', { from: 'A', into: 'a' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(call('merge_projects', { from: 'x', into: 'a' })).rejects.toMatchObject({
      code: 'not_found',
      details: { from: 'no such project' },
    });
    await expect(call('merge_projects', { from: 'a', into: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      details: { into: 'no such project' },
    });
  });
});
