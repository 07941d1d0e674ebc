// What the reader thread answers must be what the writing connection would, at once after a write.
import { describe, expect, it } from 'vitest';
import { openTestStore } from '../../support/test-store.ts';

type Page = { total: number; memories: { id: number; title: string }[] };

describe('a list whose filter no index answers', () => {
  it('sees what was saved a moment ago, compares labels in any case and letter, and is right under writes', async () => {
    const store = await openTestStore();
    const tagged = (tags: string[]) => store.call<Page>('get_recent_memories', { tags, limit: 50 });
    for (let index = 1; index <= 30; index += 1) {
      await store.call('create_memory', {
        title: `Note ${index}`,
        content: `about matter ${index} alone`,
        context: '',
        keywords: [],
        tags: index % 3 === 0 ? ['ÉTÉ'] : ['winter'],
        importance: 1 + (index % 10),
      });
      const [summer, winter] = await Promise.all([tagged(['été']), tagged(['Winter'])]);
      expect([summer.total, winter.total]).toEqual([Math.floor(index / 3), index - Math.floor(index / 3)]);
    }
    const byImportance = await store.call<Page>('get_recent_memories', { sort_by: 'importance', limit: 3 });
    expect(byImportance).toMatchObject({ total: 30 });
    expect(byImportance.memories.map(({ title }) => title)).toEqual(['Note 29', 'Note 19', 'Note 9']);
  });

  it('takes what is filtered by as text', async () => {
    const store = await openTestStore({ isAlone: true });
    await store.call('create_document', { title: 'One', content: 'text', document_type: 'adr' });
    const page = { document_type: "x'; DELETE FROM documents; --", limit: 5 };
    expect(await store.call('list_documents', page)).toMatchObject({ total: 0 });
    expect(await store.call('list_documents', { document_type: 'ADR' })).toMatchObject({ total: 1 });
  });
});
