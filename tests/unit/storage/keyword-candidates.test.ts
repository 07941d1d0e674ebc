import { describe, expect, it } from 'vitest';
import { keywordCandidates } from '#daemon/storage/reader-queries/keyword-candidates.ts';
import { createSearchableStore, everything } from '../../support/searchable-store.ts';

describe('keyword candidates', () => {
  it("B01 ordinary words with quotes, brackets and AND are text, and find what they're in first", async () => {
    const store = await createSearchableStore();
    for (let index = 0; index < 20; index += 1)
      store.add({ text: `an ordinary note about foo and bar, number ${index}` });
    const wanted = store.add({ text: 'what\'s "foo AND (bar' });
    expect(store.find('what\'s "foo AND (bar')).toContain(wanted);
    expect(store.find('what\'s "foo AND (bar')[0]).toBe(wanted);
  });

  it.each(['2024-11-05', 'std::vector', 'multi-step', 'src/a.b.ts', 'C++', '#42', 'dev@host.test'])(
    'B02 %s finds its own text first',
    async (name) => {
      const store = await createSearchableStore();
      const near = [
        '2024 was 11 and 05',
        'std is a vector',
        'many a multi step',
        'src has a b ts',
        'C is plain',
        '42',
        'dev host test',
      ];
      for (const text of near) store.add({ text });
      const wanted = store.add({ text: `we wrote ${name} down` });
      expect(store.find(name)[0]).toBe(wanted);
    },
  );

  it('B03 a query without a letter or digit finds nothing', async () => {
    const store = await createSearchableStore();
    store.add({ text: 'something' });
    for (const text of ['', ' \t', '"', '***', '()', '-']) expect(store.find(text)).toEqual([]);
  });

  it('B06 short words of Chinese, Japanese and Korean are found, and a name between them', async () => {
    const store = await createSearchableStore();
    const japanese = store.add({ text: '今日はビルド機を再起動した' });
    const chinese = store.add({ text: '部署脚本改用并行模式' });
    const korean = store.add({ text: '오늘 배포를 되돌렸다' });
    const between = store.add({ text: '再gen7後' });
    expect(store.find('再起動')[0]).toBe(japanese);
    expect(store.find('并行')).toEqual([chinese]);
    expect(store.find('배포')).toEqual([korean]);
    expect(store.find('gen7')).toEqual([between]);
  });

  it('B07 a small project is not starved by a large one', async () => {
    const store = await createSearchableStore();
    for (let index = 0; index < 2_000; index += 1) store.add({ text: 'deploy deploy deploy', projectIds: [1] });
    const small = Array.from({ length: 5 }, () =>
      store.add({ text: 'among many other things somebody once did deploy a thing', projectIds: [2] }),
    );
    expect(store.find('deploy', { projectIds: [2] }, 5)).toEqual(small);
  });

  it('filters by user, kind, status, type and project, and leaves out what it is told to', async () => {
    const store = await createSearchableStore();
    const mine = store.add({ text: 'kettle', projectIds: [3, 17] });
    store.add({ text: 'kettle', userId: 2 });
    store.add({ text: 'kettle', kind: 'document' });
    const archived = store.add({ text: 'kettle', status: 'archived' });
    const decision = store.add({ text: 'kettle', type: 'decision' });
    const other = store.add({ text: 'kettle', projectIds: [13] });
    expect(store.find('kettle').sort()).toEqual([mine, decision, other]);
    expect(store.find('kettle', { statuses: ['archived'] })).toEqual([archived]);
    expect(store.find('kettle', { types: ['decision'] })).toEqual([decision]);
    expect(store.find('kettle', { projectIds: [3] })).toEqual([mine]);
    expect(store.find('kettle', { projectIds: [17, 13] }).sort()).toEqual([mine, other]);
    expect(store.find('kettle', { projectIds: [] })).toEqual([decision]);
    expect(store.find('kettle', { exclude: [{ kind: 'memory', id: mine }] }).sort()).toEqual([decision, other]);
  });

  it('finds what was written a moment ago, and no longer what was erased', async () => {
    const store = await createSearchableStore();
    expect(store.find('zebra')).toEqual([]);
    const id = store.add({ text: 'a zebra' });
    expect(store.find('zebra')).toEqual([id]);
    store.remove(id);
    expect(store.find('zebra')).toEqual([]);
    store.database.raw.exec(`INSERT INTO search_words(search_words, rank) VALUES ('integrity-check', 1)`);
  });

  it('ranks a project as if it had a table of its own', async () => {
    const [shared, alone] = [await createSearchableStore(), await createSearchableStore()];
    const texts = [
      'alpha beta',
      'alpha gamma',
      'beta beta gamma',
      'gamma delta',
      'delta alpha epsilon',
      'zeta',
      'eta theta',
    ];
    for (const text of texts) for (const store of [shared, alone]) store.add({ text, projectIds: [1] });
    // in the other project the rare word is common
    for (let index = 0; index < 500; index += 1) shared.add({ text: 'delta and delta', projectIds: [2] });
    expect(shared.find('delta gamma', { projectIds: [1] })).toEqual(alone.find('delta gamma'));
  });

  it('tells how much of the query a text covers', async () => {
    const store = await createSearchableStore();
    const both = store.add({ text: 'the kettle boils' });
    const one = store.add({ text: 'a kettle' });
    for (let index = 0; index < 10; index += 1) store.add({ text: 'something else' });
    const { hits, rows, words } = keywordCandidates(store.database.raw, {
      text: 'kettle boils',
      filter: everything,
      limit: 9,
    });
    expect(rows).toBe(12);
    expect(words.map(({ word, rows: holders }) => [word, holders])).toEqual([
      ['boils', 1],
      ['kettle', 2],
    ]);
    expect(hits.map(({ id }) => id)).toEqual([both, one]);
    expect(hits[0]?.coverage).toBeCloseTo(1);
    expect(hits[1]?.coverage).toBeLessThan(0.5);
    expect(hits[0]?.rarestIdf).toBeGreaterThan(hits[1]?.rarestIdf ?? Number.POSITIVE_INFINITY);
  });

  it('gives equal scores in the order of their ids', async () => {
    const store = await createSearchableStore();
    for (const id of [9, 4, 7, 2]) store.add({ id, text: 'the same words' });
    expect(store.find('same words')).toEqual([2, 4, 7, 9]);
  });
});
