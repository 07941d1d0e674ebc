// What plans owe to the rest of the store: their project, erasure, repeated calls, switches.
import { describe, expect, it } from 'vitest';
import { discoverTools } from '#daemon/mcp/meta-tools.ts';
import { contracts } from '#shared/contract/index.ts';

import { sendTo } from '../../support/http-surface.ts';
import { tablesHolding } from '../../support/open-store-file.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

async function storeWithPlan(): Promise<TestStore> {
  const store = await openTestStore();
  await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'store-front' });
  await store.call('memory_save', { content: 'Invoices go out on Mondays', project: 'storefront' });
  await store.call('create_plan', { title: 'Plan', project_id: 1, external_ref: 'shop#1' });
  await store.call('create_task', { title: 'a', plan_id: 1, criteria: ['it works'] });
  return store;
}

describe('a plan and its project', () => {
  it('goes along when its project is merged into another', async () => {
    const store = await storeWithPlan();
    await store.call('merge_projects', { from: 'store-front', into: 'storefront' });
    expect(await store.call('get_plan', { id: 1 })).toMatchObject({ project_id: 2, task_count: 1 });
  });

  it('stands in the way of deleting its project, or is erased with it when that is said', async () => {
    const store = await storeWithPlan();
    await expect(store.call('delete_project', { project_id: 1 })).rejects.toMatchObject({
      code: 'conflict',
      details: { plan_ids: [1] },
    });
    expect(await store.call('get_plan', { id: 1 })).toMatchObject({ id: 1 });
    await store.call('delete_project', { project_id: 1, cascade_plans: true });
    await expect(store.call('get_plan', { id: 1 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.call('get_task', { id: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a deleted plan', () => {
  it('leaves no text of itself in the database, not in the log of changes nor in stored answers', async () => {
    const store = await openTestStore();
    const word = 'zanzibar';
    await store.call('memory_save', { content: 'The cart keeps prices in cents', project: 'storefront' });
    const keyed = (name: string, input: object) => store.call(name, { ...input, idempotency_key: `${name}-1` });
    await keyed('create_plan', { title: `${word} plan`, project_id: 1, goal: word, status: 'active' });
    await keyed('create_task', { title: `${word} task`, plan_id: 1, description: word, criteria: [word] });
    await keyed('add_criterion', { task_id: 1, description: word });
    await keyed('next_task', { plan_id: 1, agent_id: word });
    await keyed('update_plan', { plan_id: 1, title: `${word} again` });
    await store.call('delete_plan', { plan_id: 1 });
    expect(tablesHolding(store.home, word)).toEqual([]);
  });
});

describe('repeated calls', () => {
  it('a claim sent twice with one key is one claim, and its answer is given again', async () => {
    const store = await storeWithPlan();
    const input = { task_id: 1, agent_id: 'builder', version: 1, idempotency_key: 'claim-1' };
    const first = await store.call('claim_task', input);
    expect(await store.call('claim_task', input)).toEqual(first);
    expect(await store.call('get_task', { id: 1 })).toMatchObject({ version: 2 });
  });

  it('next_task sent twice with one key takes one task', async () => {
    const store = await storeWithPlan();
    await store.call('create_task', { title: 'b', plan_id: 1 });
    const input = { plan_id: 1, agent_id: 'builder', idempotency_key: 'next-1' };
    const first = await store.call('next_task', input);
    expect(await store.call('next_task', input)).toEqual(first);
    expect(await store.call('query_tasks', { plan_id: 1, state: 'doing' })).toMatchObject({ total: 1 });
  });
});

describe('categories', () => {
  it('plans and activity that are turned off have no route, no tool and no stream', async () => {
    const daemon = await startTestDaemon({
      env: { LOCI_CATEGORIES_PLANS: 'false', LOCI_CATEGORIES_ACTIVITY: 'false' },
    });
    const socketPath = daemon.paths.httpSocket;
    for (const path of ['/api/v1/plans', '/api/v1/tasks?plan_id=1', '/api/v1/activity']) {
      expect((await sendTo({ socketPath }, { path })).status, path).toBe(404);
    }
    expect((await sendTo({ socketPath }, { path: '/events' })).status).toBe(503);
    const { json } = await sendTo({ socketPath }, { path: '/api/v1/capabilities' });
    expect(json.capabilities).toMatchObject({ planning: false, activity_stream: false });
  });
});

describe('discovery', () => {
  it('K164 lists the plan and task tools under their categories', () => {
    const { tools_by_category: listed } = discoverTools({ contracts, scopes: ['*'] }, {}) as {
      tools_by_category: Record<string, Record<string, string>>;
    };
    expect(Object.keys(listed.plan ?? {})).toEqual(expect.arrayContaining(['create_plan', 'list_plans', 'show_plan']));
    expect(Object.keys(listed.task ?? {})).toEqual(expect.arrayContaining(['claim_task', 'next_task', 'renew_task']));
    expect(Object.keys(listed.activity ?? {})).toEqual(['list_activity', 'get_activity_history']);
    const reader = discoverTools({ contracts, scopes: ['read:tasks'] }, { category: 'task' });
    expect(JSON.stringify(reader)).not.toContain('claim_task');
  });
});
