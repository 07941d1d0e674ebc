// One model for a team: when one daemon has embedded everything anew, the others search with that model too, without a restart.
import { expect, it } from 'vitest';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { createFakeEmbedder } from '../support/fake-embedder.ts';
import { storageSettings } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

type Search = { results: { id: number }[]; degraded: string[] };

const byName =
  (...models: Embedder[]) =>
  ({ model }: { model: string | null }) =>
    models.find(({ modelId }) => modelId === model);
const another = (): Embedder => createFakeEmbedder({ dimensions: 96, modelId: 'another-96' });
const find = (store: TestStore, query: string, mode = 'vector'): Promise<Search> =>
  store.call<Search>('memory_search', { query, mode });
const modelOf = async (store: TestStore): Promise<string> =>
  (await store.call<{ model: string }>('get_re_embedding')).model;
const reEmbed = (store: TestStore) => store.call('re_embed', { provider: 'huggingface', model: 'another-96' });

it('a daemon follows the model that another has embedded everything with, also for what it saves', async () => {
  const env = await storageSettings(tempFolder());
  const one = await openTestStore({ home: tempFolder(), env, models: byName(another()) });
  const other = await openTestStore({ home: tempFolder(), env, models: byName(another()) });
  for (let at = 0; at < 20; at += 1)
    await one.call('memory_save', { content: `Crane ${at} stands at quay ${at * 7}.` });
  const { id } = await other.call<{ id: number }>('memory_save', { content: 'The vault opens at nine.' });
  expect((await find(other, 'The vault opens at nine.')).results[0]).toMatchObject({ id });

  await reEmbed(one);
  await expect.poll(() => modelOf(one), { timeout: 20_000 }).toBe('another-96');
  await expect.poll(() => modelOf(other), { timeout: 5_000 }).toBe('another-96');
  const found = await find(other, 'The vault opens at nine.');
  expect(found).toMatchObject({ degraded: [] });
  expect(found.results[0]).toMatchObject({ id });
  const late = await other.call<{ id: number }>('memory_save', { content: 'Invoices go out on Mondays.' });
  await expect
    .poll(async () => (await find(one, 'Invoices go out on Mondays.')).results[0]?.id, { timeout: 2_000 })
    .toBe(late.id);

  const third = await openTestStore({ home: tempFolder(), env, models: byName(another()) });
  expect(await modelOf(third)).toBe('another-96');
  expect((await find(third, 'The vault opens at nine.')).results[0]).toMatchObject({ id });
});

it('a daemon that cannot have the new model searches by keyword, says so, and leaves the others alone', async () => {
  const env = await storageSettings(tempFolder());
  const one = await openTestStore({ home: tempFolder(), env, models: byName(another()) });
  const other = await openTestStore({ home: tempFolder(), env });
  const { id } = await one.call<{ id: number }>('memory_save', { content: 'The vault opens at nine.' });
  await reEmbed(one);
  await expect.poll(() => modelOf(other), { timeout: 20_000 }).toBe('another-96');
  const found = await find(other, 'vault opens', 'hybrid');
  expect(found).toMatchObject({ results: [{ id }], degraded: ['vector'] });
  await expect(other.call('re_embed', { provider: 'huggingface', model: 'another-96' })).rejects.toThrow();
  expect(await find(one, 'The vault opens at nine.')).toMatchObject({ results: [{ id }], degraded: [] });
});

it('what a daemon left half embedded, the one that does the upkeep after it goes on with', async () => {
  const env = await storageSettings(tempFolder());
  let isHeld = true;
  const slow = another();
  const held: Embedder = {
    ...slow,
    embed: async (texts, how) => {
      while (
        isHeld &&
        how.purpose === 'passage' &&
        texts[0]?.startsWith('Crane 9') === true &&
        how.signal?.aborted !== true
      ) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      how.signal?.throwIfAborted();
      return slow.embed(texts, how);
    },
  };
  const one = await openTestStore({ home: tempFolder(), env, models: byName(held) });
  const other = await openTestStore({ home: tempFolder(), env, models: byName(another()) });
  for (let at = 0; at < 20; at += 1)
    await one.call('memory_save', { content: `Crane ${at} stands at quay ${at * 7}.` });
  await reEmbed(one);
  await expect(reEmbed(other)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/Another daemon/),
  });
  await one.close();
  isHeld = false;
  await expect.poll(() => modelOf(other), { timeout: 20_000 }).toBe('another-96');
  expect((await find(other, 'Crane 9 stands at quay 63.')).results).not.toEqual([]);
});
