// A list says how many there are without counting them; the totals must be what a count would give, whatever made and unmade the rows.
import { describe, expect, it } from 'vitest';
import { contractByName } from '#shared/contract/index.ts';
import { queryHome } from '../../support/open-store-file.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

/** Of each kind: what makes one, what ends one, what lists them and the table they are in. */
const kinds = [
  { noun: 'project', table: 'projects' },
  { noun: 'document', table: 'documents' },
  { noun: 'code_artifact', table: 'code_artifacts' },
  { noun: 'file', table: 'files' },
  { noun: 'skill', table: 'skills' },
  { noun: 'entity', table: 'entities' },
  { noun: 'plan', table: 'plans' },
] as const;

const plural = (noun: string): string => (noun === 'entity' ? 'entities' : `${noun}s`);

async function make(store: TestStore, noun: string, index: number): Promise<number> {
  const name = noun === 'skill' ? { name: `skill-${index}` } : noun === 'project' ? { name: `project ${index}` } : {};
  const own = noun === 'plan' ? { external_ref: `issue ${index}` } : name;
  const example = contractByName(`create_${noun}`)?.examples?.[0] as Record<string, unknown>;
  return (await store.call<{ id: number }>(`create_${noun}`, { ...example, ...own })).id;
}

async function totals(store: TestStore): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { noun } of kinds) {
    const page = await store.call<{ total: number }>(`list_${plural(noun)}`, { limit: 1 });
    found[noun] = page.total;
  }
  return found;
}

const counted = (home: string): Record<string, number> =>
  Object.fromEntries(
    kinds.map(({ noun, table }) => [
      noun,
      Number(queryHome<{ n: number }>(home, `SELECT count(*) AS n FROM ${table} WHERE user_id = 1`)[0]?.n),
    ]),
  );

describe('the totals of lists', () => {
  it('are what a count gives, after things were made and ended, a project with its plans among them', async () => {
    const store = await openTestStore();
    for (const { noun } of kinds) for (const index of [1, 2, 3]) await make(store, noun, index);
    expect(await totals(store)).toEqual(Object.fromEntries(kinds.map(({ noun }) => [noun, 3])));
    for (const { noun } of kinds.slice(1, -1)) await store.call(`delete_${noun}`, { id: 2 });
    await store.call('delete_project', { project_id: 1, cascade_plans: true });
    const after = await totals(store);
    expect(after).toEqual(counted(store.home));
    expect(after).toMatchObject({ project: 2, document: 2, entity: 2 });
  });

  it('of memories are what a count gives, by status and in all', async () => {
    const store = await openTestStore();
    for (let index = 0; index < 5; index += 1) {
      await store.call('memory_save', { content: `note ${index}`, on_duplicate: 'keep' });
    }
    await store.call('memory_archive', { id: 2 });
    for (const [status, total] of [
      ['active', 4],
      ['archived', 1],
      ['any', 5],
    ] as const) {
      expect(await store.call('memory_list', { status, limit: 1 })).toMatchObject({ total });
    }
  });
});
