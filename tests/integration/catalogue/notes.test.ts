// Lines of the catalogue's own tests that take settings, many calls at once, two users, or a model, to show.
import { describe, expect, it } from 'vitest';
import { createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { withDatabase } from '../../support/fading-store.ts';
import { dayMs } from '../../support/fake-clock.ts';
import { createFakeEmbedder } from '../../support/fake-embedder.ts';
import { answerJson, startModelServer } from '../../support/fake-model-server.ts';
import { openTestStore, type TestStore } from '../../support/test-store.ts';

type Note = {
  id: number;
  title: string;
  linked_memory_ids: number[];
  similar_memories: { id: number; similarity: number }[];
  obsolete_matches: { id: number; similarity: number; superseded_by: number | null }[];
  access_count: number;
  last_accessed_at: string | null;
  updated_at: string;
};
type Found = {
  primary_memories: Note[];
  linked_memories: { memory: Note; link_source_id: number }[];
  scores: {
    memory_id: number;
    similarity: number;
    keyword: number | null;
    fused: number;
    rerank_score: number | null;
  }[];
  token_count: number;
  truncated: boolean;
  degraded: string[];
};

const create = (store: TestStore, title: string, content: string, more: object = {}): Promise<Note> =>
  store.call<Note>('create_memory', { title, content, context: '', keywords: [], tags: [], importance: 7, ...more });
const query = (store: TestStore, text: string, more: object = {}): Promise<Found> =>
  store.call<Found>('query_memory', { query: text, query_context: '', ...more });
const obsolete = (store: TestStore, memory_id: number, more: object = {}) =>
  store.call('mark_memory_obsolete', { memory_id, reason: 'given up', ...more });
const idsOf = (notes: readonly { id: number }[]): number[] => notes.map(({ id }) => id);
/** Words that all notes of a test share. */
const base = 'every service of the shop writes its events to the kafka cluster';

describe('automatic links', () => {
  it('K27 are made from the threshold of the settings', async () => {
    const near = `${base} and reads them back from the archive on the next working day`;
    for (const [threshold, links] of [
      ['0.5', [1]],
      ['0.99', []],
    ] as const) {
      const store = await openTestStore({ env: { LOCI_LINKS_THRESHOLD: threshold } });
      await create(store, 'One', base);
      expect((await create(store, 'Two', near)).linked_memory_ids, threshold).toEqual(links);
    }
  });

  it('K28 are not made when the settings say none; what is similar is listed all the same', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    await create(store, 'One', base);
    const second = await create(store, 'Two', base);
    expect(second.linked_memory_ids).toEqual([]);
    expect(idsOf(second.similar_memories)).toEqual([1]);
  });

  it('K77 are never made to an obsolete note', async () => {
    const store = await openTestStore();
    await create(store, 'One', base);
    await create(store, 'Two', `${base} today`);
    await obsolete(store, 1);
    expect((await create(store, 'Three', `${base} now`)).linked_memory_ids).toEqual([2]);
  });
});

describe('the ends of a link', () => {
  const sources = ['memory_id', 'id', 'source_id', 'from_id', 'from_memory_id', 'memory_id_1'];
  const lists = ['related_ids', 'target_ids', 'linked_ids', 'related_memory_ids'];
  const singles = ['target_id', 'related_id', 'to_id', 'to_memory_id', 'memory_id_2'];

  it('K87 are read under every name that clients of the catalogue use, alone or as a list, and as one list of both', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    await create(store, 'A', 'alpha one');
    await create(store, 'B', 'beta two');
    const ends: object[] = [
      ...sources.map((source) => ({ [source]: 1, related_ids: [2] })),
      ...lists.map((target) => ({ memory_id: 1, [target]: [2] })),
      ...singles.map((target) => ({ memory_id: 1, [target]: 2 })),
      { memory_id: 1, related_ids: 2 },
      { memory_ids: [1, 2] },
      { ids: [1, 2] },
    ];
    for (const input of ends) {
      const said = JSON.stringify(input);
      expect(await store.call('link_memories', input), said).toMatchObject({ linked_memory_ids: [2] });
      expect(await store.call('unlink_memories', input), said).toEqual({ success: true });
    }
  });
});

describe('a query', () => {
  it('K35 shows linked notes of every project, or with strict_project_filter of the asked ones alone', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    await store.call('create_project', { name: 'shop' });
    await create(store, 'Asked', 'kafka keeps events', { project_ids: [1] });
    await create(store, 'Elsewhere', 'tabs are four wide');
    await create(store, 'Here', 'nights are quiet', { project_ids: [1] });
    await store.call('link_memories', { memory_id: 1, related_ids: [2, 3] });
    const linked = async (more: object): Promise<number[]> => {
      const found = await query(store, 'kafka events', { k: 1, project_ids: [1], ...more });
      return idsOf(found.linked_memories.map(({ memory }) => memory)).sort();
    };
    expect(await linked({})).toEqual([2, 3]);
    expect(await linked({ strict_project_filter: true })).toEqual([3]);
  });

  it('K37 K43 keeps the order of the search among notes of one importance, as REST says with scores', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    const texts = [
      'kafka',
      'kafka events',
      'kafka events of the shop',
      'kafka events of the shop in the second region',
    ];
    for (const text of texts) await create(store, text, text);
    const { primary_memories: notes, scores } = await query(store, 'kafka events of the shop', { k: 4 });
    expect(notes[0]?.id).toBe(3);
    expect(scores.map(({ memory_id }) => memory_id)).toEqual(idsOf(notes));
    const fused = scores.map((score) => score.fused);
    expect(fused).toEqual([...fused].sort((a, b) => b - a));
  });

  it('K36 takes whole notes only: the most important first, and a smaller one that still fits', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0', LOCI_QUERY_TOKEN_BUDGET: '500' } });
    const long = (word: string) =>
      `kafka ${word} ${`${word} is written down here at length `.repeat(40)}`.slice(0, 1_500);
    await create(store, 'Least', 'kafka in a word', { importance: 4 });
    await create(store, 'Middle', long('retention'), { importance: 6 });
    await create(store, 'Most', long('partition'), { importance: 9 });
    const found = await query(store, 'kafka', { k: 3 });
    expect(found.primary_memories.map(({ title }) => title)).toEqual(['Most', 'Least']);
    expect(found).toMatchObject({ truncated: true, linked_memories: [] });
    expect(found.token_count).toBeLessThanOrEqual(500);
  });

  it('K49 finds an exact identifier by keyword where the meaning says nothing', async () => {
    const store = await openTestStore();
    for (let number = 0; number < 30; number += 1)
      await create(store, `Note ${number}`, `the parser reads part ${number} of a file`);
    const wanted = await create(store, 'Fault', 'the build broke with ERR_4711 in src/parse/http-url.ts');
    for (const text of ['ERR_4711', 'src/parse/http-url.ts']) {
      const { primary_memories: notes, scores } = await query(store, text, { k: 1 });
      expect(idsOf(notes)).toEqual([wanted.id]);
      expect(scores[0]?.keyword).toBeGreaterThan(0);
    }
  });

  it('K50 puts equals in one order, the same each time', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    for (let number = 0; number < 6; number += 1) await create(store, 'Twin', 'kafka keeps events for seven days');
    const first = idsOf((await query(store, 'kafka events', { k: 6 })).primary_memories);
    expect(new Set(first).size).toBe(6);
    for (let round = 0; round < 5; round += 1) {
      expect(idsOf((await query(store, 'kafka events', { k: 6 })).primary_memories)).toEqual(first);
    }
  });

  it.each([
    ['Ärger mit Straßenbahnen', 'STRASSENBAHNEN'],
    ['naïve café', 'cafe naive'],
    ['支払いは夜に行う', '支払い'],
    ['Оплата проходит ночью', 'оплата'],
  ])('K51 finds %s by %s', async (content, text) => {
    const store = await openTestStore({ embedder: createFakeEmbedder({ zeros: [text] }) });
    await create(store, 'Other', 'something else entirely');
    const { id } = await create(store, 'Wanted', content);
    expect(idsOf((await query(store, text, { k: 1 })).primary_memories)).toEqual([id]);
  });

  it('K54 finds a changed text by its new words and meaning, and no longer by the old', async () => {
    const store = await openTestStore();
    await create(store, 'Other', 'unrelated words about gardens');
    const { id } = await create(store, 'Deploys', 'jenkins builds images nightly');
    await store.call('update_memory', { memory_id: id, content: 'argo rolls clusters forward' });
    const [now] = (await query(store, 'argo rolls clusters forward', { k: 1 })).scores;
    expect(now).toMatchObject({ memory_id: id });
    expect(now?.similarity).toBeGreaterThan(0.8);
    const before = (await query(store, 'jenkins builds images nightly', { k: 2 })).scores.find(
      ({ memory_id }) => memory_id === id,
    );
    expect(before === undefined || (before.keyword === null && before.similarity < 0.4)).toBe(true);
  });

  it('K48 K86 many at once are right, and nobody reaches the notes of another user', async () => {
    const store = await openTestStore();
    withDatabase(store, (db) =>
      db.prepare("INSERT INTO users(id, uid, name, created_at) VALUES (2, 'u2', 'other', 1)").run(),
    );
    const words = Array.from({ length: 40 }, (_, index) => `topic${index}`);
    const notes = await Promise.all(words.map((word) => create(store, word, `${word} is a subject of its own`)));
    const found = await Promise.all(words.map((word) => query(store, word, { k: 1 })));
    expect(found.map(({ primary_memories }) => primary_memories[0]?.id)).toEqual(idsOf(notes));
    const second = { userId: 2 };
    const own = await store.call<Note>(
      'create_memory',
      { title: 'Own', content: 'topic1 is ours', context: '', keywords: [], tags: [], importance: 5 },
      second,
    );
    expect(own.linked_memory_ids).toEqual([]);
    const input = { memory_id: own.id, related_ids: [notes[0]?.id] };
    expect(await store.call('link_memories', input, second)).toMatchObject({
      linked_memory_ids: [],
      skipped_ids: [{ id: notes[0]?.id, reason: 'not found' }],
    });
    const foreign = { memory_id: notes[0]?.id, related_ids: [own.id] };
    await expect(store.call('link_memories', foreign, second)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.call('get_memory', { memory_id: notes[0]?.id })).toMatchObject({ linked_memory_ids: [] });
  });
});

describe('a query that is ordered again', () => {
  /** A reranker that counts the words which a text and the question share, after the word "context:" twice. */
  async function withReranker(env: Record<string, string> = {}) {
    const server = await startModelServer(({ body }, response) => {
      const { query: asked, documents } = body as unknown as { query: string; documents: string[] };
      const weights = new Map<string, number>();
      const [about = '', why = ''] = asked.toLowerCase().split('context:');
      for (const word of about.match(/\w+/g) ?? []) weights.set(word, 1);
      for (const word of why.match(/\w+/g) ?? []) weights.set(word, 5);
      const score = (text: string) =>
        (text.toLowerCase().match(/\w+/g) ?? []).reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      answerJson(response, { results: documents.map((text, index) => ({ index, relevance_score: score(text) })) });
    });
    const store = await openTestStore({
      env: { LOCI_RERANK_PROVIDER: 'http', LOCI_RERANK_URL: server.url, LOCI_LINKS_AUTOMATIC: '0', ...env },
    });
    await create(store, 'Kafka retention', 'kafka keeps events for seven days');
    await create(store, 'Kafka alarms', 'kafka raises alarms at night');
    await create(store, 'Kafka costs', 'kafka is paid for by the platform team');
    return { store, server };
  }

  it('K45 has the best answer first, with its score; K46 another reason gives another order', async () => {
    const { store, server } = await withReranker();
    const nights = await query(store, 'kafka', { query_context: 'who hears alarms at night', k: 2 });
    expect(nights.primary_memories[0]?.title).toBe('Kafka alarms');
    expect(nights.scores[0]?.rerank_score).toBeGreaterThan(nights.scores[1]?.rerank_score ?? 0);
    const money = await query(store, 'kafka', { query_context: 'which team is it paid by', k: 2 });
    expect(money.primary_memories[0]?.title).toBe('Kafka costs');
    expect(server.asked.at(-1)?.body).toMatchObject({ query: 'query: kafka, context: which team is it paid by' });
  });

  it('K42 without a reranker, or where no more was found than is shown, has no such score', async () => {
    const { store, server } = await withReranker();
    const all = await query(store, 'kafka', { k: 3 });
    expect(all.scores.map(({ rerank_score }) => rerank_score)).toEqual([null, null, null]);
    expect(server.asked).toEqual([]);
  });

  it('K47 many at once keep their own order', async () => {
    const { store } = await withReranker();
    const reasons = ['alarms at night', 'paid team platform', 'events for seven days'];
    const asked = Array.from({ length: 30 }, (_, index) => index % reasons.length);
    const found = await Promise.all(
      asked.map((which) => query(store, 'kafka', { query_context: reasons[which], k: 1 })),
    );
    expect(found.map(({ primary_memories }) => primary_memories[0]?.id)).toEqual(
      asked.map((which) => [2, 3, 1][which]),
    );
  });

  it('keeps the order of the search when the reranker fails, and says so', async () => {
    const { store, server } = await withReranker();
    server.current.answer = (_, response) => answerJson(response, {}, 500);
    const found = await query(store, 'kafka retention', { k: 1 });
    expect(found.primary_memories[0]?.title).toBe('Kafka retention');
    expect(found).toMatchObject({ degraded: ['rerank'], scores: [{ rerank_score: null }] });
  });
});

describe('the reason of a query', () => {
  it('moves up what shares its words, finds nothing by itself, and costs no run of the model', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    const topics = ['retention', 'alarms', 'invoices', 'upgrades'];
    for (const topic of topics) await create(store, `Kafka ${topic}`, `kafka and its ${topic}, in short`);
    await create(store, 'Holidays', 'the office is closed for holidays');
    for (const topic of topics) {
      const { primary_memories } = await query(store, 'kafka', { query_context: `a question about ${topic}`, k: 1 });
      expect(primary_memories[0]?.title).toBe(`Kafka ${topic}`);
    }
    const runs = store.embedder.calls.filter(({ purpose }) => purpose === 'query').map(({ text }) => text);
    expect(new Set(runs)).toEqual(new Set(['kafka']));
    const holidays = await query(store, 'kafka', { query_context: 'holidays of the office', k: 4 });
    expect(holidays.primary_memories.map(({ title }) => title).sort()).toEqual(
      topics.map((topic) => `Kafka ${topic}`).sort(),
    );
  });
});

describe('what was given up', () => {
  it('K71 is named after all was embedded anew; K72 and not where the settings turn it off', async () => {
    const store = await openTestStore();
    await create(store, 'Old', base);
    await obsolete(store, 1);
    await store.call('rebuild_embeddings', {});
    expect(idsOf((await create(store, 'Old', base)).obsolete_matches)).toEqual([1]);
    const silent = await openTestStore({ env: { LOCI_OBSOLETE_WARNING_ENABLED: 'false' } });
    await create(silent, 'Old', base);
    await obsolete(silent, 1);
    expect((await create(silent, 'Old', base)).obsolete_matches).toEqual([]);
  });

  it('K73 is not named to what is about something else; K74 nor below the threshold', async () => {
    const store = await openTestStore();
    await create(store, 'Old', base);
    await obsolete(store, 1);
    expect((await create(store, 'Gardens', 'roses want sun and water')).obsolete_matches).toEqual([]);
    const near = `${base} again today`;
    const [match] = (await create(store, 'Old', near)).obsolete_matches;
    const similarity = match?.similarity ?? 0;
    for (const [threshold, matches] of [
      [similarity - 0.005, 1],
      [similarity + 0.005, 0],
    ] as const) {
      const other = await openTestStore({ env: { LOCI_OBSOLETE_WARNING_THRESHOLD: threshold.toFixed(4) } });
      await create(other, 'Old', base);
      await obsolete(other, 1);
      expect((await create(other, 'Old', near)).obsolete_matches, String(threshold)).toHaveLength(matches);
    }
  });

  it('K76 is named three times at most, the nearest first, K75 with its successor or without', async () => {
    const store = await openTestStore({ env: { LOCI_LINKS_AUTOMATIC: '0' } });
    const ends = ['', ' today', ' today as ever', ' today as ever in spring', ' today as ever in spring and winter'];
    for (const end of ends) await create(store, 'Old', base + end);
    await create(store, 'New', 'roses want sun');
    for (const id of [1, 2, 3, 4, 5]) await obsolete(store, id, id === 1 ? { superseded_by: 6 } : {});
    const { obsolete_matches: matches } = await create(store, 'Old', base);
    expect(matches).toHaveLength(3);
    const similarities = matches.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    expect(matches[0]).toMatchObject({ id: 1, superseded_by: 6 });
    expect(matches[1]).toMatchObject({ superseded_by: null });
  });
});

describe('reading', () => {
  it('K78 moves the counters of what is shown in full, whether reads are tracked or not, and never updated_at', async () => {
    for (const tracked of ['true', 'false']) {
      const store = await openTestStore({ env: { LOCI_ACTIVITY_TRACK_READS: tracked, LOCI_LINKS_AUTOMATIC: '0' } });
      const { id } = await create(store, 'Kafka', base);
      const before = await store.call<Note>('memory_update', { id });
      store.clock.advance(dayMs);
      await store.call('get_memory', { memory_id: id });
      await query(store, 'kafka');
      await expect
        .poll(async () => {
          await store.call('run_job', { name: 'flush_accesses' });
          return store.call<Note>('memory_update', { id });
        })
        .toMatchObject({
          access_count: 2,
          last_accessed_at: new Date(store.clock.now()).toISOString(),
          updated_at: before.updated_at,
        });
      const { events } = await store.call<{ events: { action: string }[] }>('list_activity', {});
      const reads = events.filter(({ action }) => action === 'read' || action === 'queried');
      expect(reads.length > 0, `tracked: ${tracked}`).toBe(tracked === 'true');
    }
  });
});

describe('with the bundled model', () => {
  it('K40 a query equal to the embedded text of a note comes first with a similarity of .90 or more', async () => {
    const model = createBundledEmbedder({ clock: systemClock, logger: silentLogger });
    try {
      const store = await openTestStore({ model });
      const text = 'Kafka keeps the events of the shop for seven days in both regions.';
      const wanted = await create(store, 'Retention', text, { keywords: ['kafka'], tags: ['events'] });
      for (const other of ['Kafka raises alarms at night.', 'The shop is closed on Sundays.', 'We indent by tabs.']) {
        await create(store, 'Other', other);
      }
      const { scores } = await query(store, `Retention ${text} kafka events`, { k: 4 });
      expect(scores[0]).toMatchObject({ memory_id: wanted.id });
      expect(scores[0]?.similarity).toBeGreaterThanOrEqual(0.9);
    } finally {
      await model.close();
    }
  });
});
