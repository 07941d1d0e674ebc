// A store with one of everything that an export tells.
import { plantPlot } from './knowledge-plot.ts';
import type { TestStore } from './test-store.ts';

type Made = { readonly id: number };

/** One of everything, in every state that the formats of others forget. */
export async function plantAll(test: TestStore): Promise<Awaited<ReturnType<typeof plantPlot>>> {
  const { call, clock } = test;
  const plot = await plantPlot(test);
  await call('memory_update', { id: plot.memory, pinned: true, metadata: { 'quote"d': ['a', { b: null }] } });
  clock.advance(60_000);
  await call('memory_update', { id: plot.memory, content: 'caches are cold since the move', project: 'shop' });
  const old = await call<Made>('memory_save', { content: 'the build runs on the old machine', on_duplicate: 'keep' });
  await call('memory_save', {
    content: 'the build runs on the new machine',
    supersedes: [old.id],
    on_duplicate: 'keep',
  });
  const gone = await call<Made>('memory_save', {
    content: 'Ünïcode 😀 and "quotes" \\ with a \t tab',
    on_duplicate: 'keep',
  });
  await call('memory_archive', { id: gone.id, reason: 'no longer so' });
  await call('memory_save', { content: 'only for this week', expires_days: 1, on_duplicate: 'keep' });
  await call('memory', { action: 'save', category: 'preferences', key: 'editor', value: 'helix' });
  await call('memory', { action: 'save', category: 'preferences', key: 'editor', value: 'kakoune' });
  await call('memory_get', { id: plot.other });
  await call('alias_project', { name: 'shop', alias: 'store' });
  await call('update_entity', { entity_id: plot.entity, aka: ['cache-01', 'redis-primary'] });
  const second = await call<Made>('create_task', {
    title: 'Mount the parts',
    plan_id: plot.plan,
    criteria: ['it is quiet', 'it is cool'],
    dependency_ids: [plot.task],
  });
  await call('create_task', { title: 'Tell everybody', plan_id: plot.plan, dependency_ids: [second.id, plot.task] });
  await call('update_plan', { plan_id: plot.plan, status: 'active' });
  await call('claim_task', { task_id: plot.task, agent_id: 'agent-1', version: 1 });
  clock.advance(3 * 24 * 3_600_000);
  return plot;
}
