// What comes out must go in again, all of it, and going in twice must change nothing.
import { describe, expect, it } from 'vitest';
import { plantPlot } from '../../support/knowledge-plot.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';
import { exportLines, importInto } from '../../support/transfer.ts';

type Made = { readonly id: number };
type Head = { readonly counts: Record<string, number>; readonly left_out: { readonly memories: number } };

/** One of everything, in every state that the formats of others forget. */
async function plantAll(test: TestStore): Promise<Awaited<ReturnType<typeof plantPlot>>> {
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

const sorted = (lines: readonly string[]): string[] => lines.slice(1).sort();

describe('an export', () => {
  it('B29 of everything, imported into an empty store and exported again, is equal', async () => {
    const first = await openTestStore();
    await plantAll(first);
    const lines = await exportLines(first);
    const head = JSON.parse(lines[0] ?? '') as Head;
    for (const [kind, count] of Object.entries(head.counts)) expect({ kind, count }).not.toEqual({ kind, count: 0 });

    const second = await openTestStore({ clock: first.clock });
    const status = await importInto(second, `${lines.join('\n')}\n`);
    expect(status).toMatchObject({ state: 'done', error: null, report: { problem_count: 0, source: 'loci' } });
    const added = Object.fromEntries(
      Object.entries(status.report?.counts ?? {}).map(([kind, { added }]) => [kind, added]),
    );
    expect(added).toEqual(head.counts);
    const again = await exportLines(second);
    expect(sorted(again)).toEqual(sorted(lines));
    expect((JSON.parse(again[0] ?? '') as Head).counts).toEqual(head.counts);
  });

  it('B28 imported into its own store changes nothing, however often, with or without what is hidden', async () => {
    const test = await openTestStore();
    await plantAll(test);
    // what jobs would do meanwhile is done
    for (const name of ['clean', 'flush_accesses']) await test.call('run_job', { name });
    const before = await exportLines(test);
    for (const lines of [
      before,
      await exportLines(test, { all: false }),
      await exportLines(test, { project: 'shop' }),
    ]) {
      const { report, state } = await importInto(test, lines.join('\n'));
      expect({ state, problems: report?.problems }).toEqual({ state: 'done', problems: [] });
      for (const [kind, counts] of Object.entries(report?.counts ?? {})) {
        expect({ kind, ...counts }).toEqual({ kind, added: 0, updated: 0, skipped: 0, unchanged: counts.unchanged });
      }
    }
    expect(sorted(await exportLines(test))).toEqual(sorted(before));
  });
});
