// What many agents at once must not break, over the real socket; and what leases do when time goes by.
import { describe, expect, it } from 'vitest';
import { resolvePaths } from '#shared/paths.ts';
import { addManyTasks } from '../../../benchmarks/store/many-tasks.ts';
import { sendTo } from '../../support/http-surface.ts';
import { startTestDaemon, type TestDaemon } from '../../support/test-daemon.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Task = {
  id: number;
  state: string;
  version: number;
  assigned_agent: string | null;
  lease_expires_at: string | null;
  blocked: boolean;
};

const post = (daemon: TestDaemon, path: string, body: unknown) =>
  sendTo({ socketPath: daemon.paths.httpSocket }, { method: 'POST', path, body });

async function planOn(daemon: TestDaemon, fields: object = {}): Promise<void> {
  await post(daemon, '/memories', { content: 'The cart keeps prices in cents', project: 'storefront' });
  const { status } = await post(daemon, '/api/v1/plans', { title: 'Plan', project_id: 1, status: 'active', ...fields });
  expect(status).toBe(201);
}

async function newTask(daemon: TestDaemon, title: string): Promise<Task> {
  return (await post(daemon, '/api/v1/tasks', { title, plan_id: 1 })).json as unknown as Task;
}

describe('many agents over the socket', () => {
  it('B66 of fifty agents that claim one task exactly one wins, and the others learn the present version', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    await newTask(daemon, 'wanted');
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(daemon, '/api/v1/tasks/1/claim', { agent_id: `agent-${index}`, version: 1 }),
      ),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const { status, json } of replies.filter((reply) => reply !== won[0])) {
      expect(status).toBe(409);
      expect(json).toMatchObject({ code: 'conflict', details: { version: 2, given: 1, state: 'doing' } });
    }
    const after = await sendTo({ socketPath: daemon.paths.httpSocket }, { path: '/api/v1/tasks/1' });
    expect(after.json).toMatchObject({ version: 2, assigned_agent: won[0]?.json.assigned_agent, state: 'doing' });
  });

  it('B66 of two transitions with the same version one wins, and no field of the other is left', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    for (let round = 1; round <= 5; round += 1) {
      const { id } = await newTask(daemon, `round ${round}`);
      const replies = await Promise.all(
        ['doing', 'cancelled'].map((state) => post(daemon, `/api/v1/tasks/${id}/transition`, { state, version: 1 })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { json } = await sendTo({ socketPath: daemon.paths.httpSocket }, { path: `/api/v1/tasks/${id}` });
      expect(json).toMatchObject({ version: 2, state: replies.find(({ status }) => status === 200)?.json.state });
    }
  });

  it('agents that take the next task at once never get the same one', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    for (let index = 0; index < 20; index += 1) await newTask(daemon, `task ${index}`);
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, index) => post(daemon, '/api/v1/plans/1/next', { agent_id: `agent-${index}` })),
    );
    const ids = taken.map(({ json }) => (json.task as Task | null)?.id).filter((id) => id !== undefined);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('K161 two edges asked for at once never close a cycle', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await newTask(daemon, 'a'), await newTask(daemon, 'b')];
      const replies = await Promise.all([
        post(daemon, `/api/v1/tasks/${a.id}/dependencies`, { depends_on_task_id: b.id }),
        post(daemon, `/api/v1/tasks/${b.id}/dependencies`, { depends_on_task_id: a.id }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
  });

  it('K151 of many creates with one external_ref at once one plan results, the others are conflicts that name it', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    const replies = await Promise.all(
      Array.from({ length: 12 }, () =>
        post(daemon, '/api/v1/plans', { title: 'Same', project_id: 1, external_ref: 'shop#1' }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    const id = replies.find(({ status }) => status === 201)?.json.id;
    for (const { json } of replies.filter(({ status }) => status === 409)) {
      expect(json.details).toMatchObject({ external_ref: 'shop#1', plan_id: id });
    }
  });

  it('K165 REST answers 409 for a stale version and 422 for a move, a dependency or a criterion that forbids it', async () => {
    const daemon = await startTestDaemon();
    await planOn(daemon);
    await newTask(daemon, 'a');
    await post(daemon, '/api/v1/tasks', { title: 'b', plan_id: 1, dependency_ids: [1], criteria: ['it works'] });
    const statusOf = async (path: string, body: unknown): Promise<number> => (await post(daemon, path, body)).status;
    expect(await statusOf('/api/v1/tasks/1/claim', { agent_id: 'a' })).toBe(400);
    expect(await statusOf('/api/v1/tasks/1/claim', { agent_id: 'a', version: 7 })).toBe(409);
    expect(await statusOf('/api/v1/tasks/9/claim', { agent_id: 'a', version: 1 })).toBe(404);
    expect(await statusOf('/api/v1/tasks/2/claim', { agent_id: 'a', version: 1 })).toBe(422);
    expect(await statusOf('/api/v1/tasks/1/transition', { state: 'done', version: 1 })).toBe(422);
    expect(await statusOf('/api/v1/tasks/1/transition', { state: 'doing', version: 1 })).toBe(200);
    expect(await statusOf('/api/v1/tasks/1/transition', { state: 'done', version: 1 })).toBe(409);
    expect(await statusOf('/api/v1/tasks/1/transition', { state: 'done', version: 2 })).toBe(200);
    expect(await statusOf('/api/v1/tasks/2/transition', { state: 'doing', version: 1 })).toBe(200);
    expect(await statusOf('/api/v1/tasks/2/transition', { state: 'done', version: 2 })).toBe(422);
    const put = (path: string, body: unknown) =>
      sendTo({ socketPath: daemon.paths.httpSocket }, { method: 'PUT', path, body });
    expect((await put('/api/v1/plans/1', { status: 'draft' })).status).toBe(422);
    expect((await put('/api/v1/criteria/1', { met: true })).json).toMatchObject({ met: true });
    expect((await put('/api/v1/tasks/2', { title: 'b, again' })).json).toMatchObject({ title: 'b, again' });
  });
});

describe('leases', () => {
  async function leased(): Promise<TestStore> {
    const store = await openTestStore();
    await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
    await store.call('create_plan', { title: 'Plan', project_id: 1, status: 'active' });
    await store.call('create_task', { title: 'a', plan_id: 1 });
    await store.call('claim_task', { task_id: 1, agent_id: 'gone', version: 1, lease_seconds: 60 });
    return store;
  }

  it('a task is held to the last millisecond of its lease, and free for everybody at its end', async () => {
    const store = await leased();
    store.clock.advance(59_999);
    expect(await store.call<Task>('get_task', { id: 1 })).toMatchObject({ state: 'doing', version: 2 });
    store.clock.advance(1);
    const free = { state: 'todo', version: 3, assigned_agent: null, lease_expires_at: null };
    expect(await store.call<Task>('get_task', { id: 1 })).toMatchObject(free);
    expect(await store.call<Task>('get_task', { id: 1 })).toMatchObject(free);
  });

  it('the late holder gets a conflict, whether it renews, finishes or claims with what it knew', async () => {
    const store = await leased();
    store.clock.advance(61_000);
    const late = { code: 'conflict', details: { version: 3, state: 'todo' } };
    await expect(store.call('renew_task', { id: 1, agent_id: 'gone', lease_seconds: 60 })).rejects.toMatchObject(late);
    await expect(store.call('transition_task', { id: 1, state: 'done', version: 2 })).rejects.toMatchObject(late);
    await expect(store.call('claim_task', { id: 1, agent_id: 'gone', version: 2 })).rejects.toMatchObject(late);
    expect(await store.call('next_task', { plan_id: 1, agent_id: 'fresh' })).toMatchObject({
      task: { id: 1, assigned_agent: 'fresh', version: 4 },
    });
  });

  it('a renewed lease counts from the renewal, and leaving doing ends it', async () => {
    const store = await leased();
    store.clock.advance(50_000);
    await store.call('renew_task', { id: 1, agent_id: 'gone', lease_seconds: 60 });
    store.clock.advance(59_000);
    expect(await store.call<Task>('get_task', { id: 1 })).toMatchObject({ state: 'doing', version: 3 });
    await store.call('transition_task', { id: 1, state: 'waiting', version: 3 });
    store.clock.advance(120_000);
    expect(await store.call('show_plan', { plan_id: 1 })).toMatchObject({
      columns: expect.arrayContaining([
        { state: 'waiting', total: 1, tasks: [expect.objectContaining({ lease_expires_at: null, version: 4 })] },
      ]),
    });
  });
});

describe('chains of dependencies', () => {
  it('B64 a chain of 3,000 tasks lets no edge close it, names the path shortened, and opens one task at a time', async () => {
    const store = await openTestStore();
    await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
    await store.call('create_plan', { title: 'Chain', project_id: 1, status: 'active' });
    const { database: databaseFile } = resolvePaths({ LOCI_HOME: store.home });
    addManyTasks({ databaseFile, planId: 1, count: 3_000, isChain: true });
    await store.call('create_task', { title: 'after all', plan_id: 1, dependency_ids: [3_000] });
    await store.call('add_dependency', { task_id: 3_001, depends_on_task_id: 1 });
    await expect(store.call('add_dependency', { task_id: 1, depends_on_task_id: 3_000 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('1 -> 3000 -> 2999'),
      details: { length: 3_000 },
    });
    expect(await store.call('next_task', { plan_id: 1, agent_id: 'a' })).toMatchObject({
      task: { id: 1 },
      blocked: 3_000,
    });
    expect(await store.call('next_task', { plan_id: 1, agent_id: 'b' })).toEqual({ task: null, blocked: 3_000 });
    await store.call('transition_task', { task_id: 1, state: 'done', version: 2 });
    expect(await store.call('next_task', { plan_id: 1, agent_id: 'b' })).toMatchObject({ task: { id: 2 } });
    await store.call('transition_task', { task_id: 1, state: 'todo', version: 3 });
    expect(await store.call<Task>('get_task', { id: 2 })).toMatchObject({ state: 'doing', blocked: true });
  });
});
