// Cases of the public reports that every surface must stand alike: text that looks like syntax, names that look like patterns,
// lists and ids sent as text, characters that damage, fields that are cleared.
import { expect } from 'vitest';
import { type Step, type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const save = (content: string, more: object = {}): Step => ({
  operation: 'memory_save',
  input: { content, on_duplicate: 'keep', ...more },
  gives: { output: expect.objectContaining({ outcome: 'created' }) },
});
/** Many at once, so that a surface which starts a process a call is not kept waiting. */
const saveAll = (contents: readonly string[], more: (at: number) => object = () => ({})): Step => ({
  operation: 'memory_save_many',
  input: { memories: contents.map((content, at) => ({ content, on_duplicate: 'keep', ...more(at) })) },
  gives: { output: { results: contents.map(() => expect.objectContaining({ outcome: 'created' })) } },
});
const refused = (content: string, more: object, field: string, says?: RegExp): Step => ({
  operation: 'memory_save',
  input: { content, ...more },
  gives: { refused: 'invalid_input', field, ...(says === undefined ? {} : { says }) },
});
const finds = (query: string, ids: number[], more: object = {}): Step => ({
  operation: 'memory_search',
  input: { query, depth: 1, limit: 50, ...more },
  gives: {
    output: expect.objectContaining({ results: ids.map((id) => expect.objectContaining({ id })), degraded: [] }),
  },
});
const findsFirst = (query: string, id: number, more: object = {}): Step => ({
  operation: 'memory_search',
  input: { query, depth: 1, limit: 1, ...more },
  gives: { output: expect.objectContaining({ results: [expect.objectContaining({ id })], degraded: [] }) },
});
const get = (id: number | string, fields: object): Step => ({
  operation: 'memory_get',
  input: { id },
  gives: { output: expect.objectContaining(fields) },
});
const update = (id: number, fields: object, gives: object): Step => ({
  operation: 'memory_update',
  input: { id, ...fields },
  gives: { output: expect.objectContaining(gives) },
});

const identifiers = ['2024-11-05', 'std::vector', 'multi-step', 'src/a.b.ts', 'C++', '#42', 'dev@host.test'];
const projects = ['a_b', 'axb', '100%', '1000', "it's", "x' OR 'q'='q"];

const cases: SurfaceCase[] = [
  {
    name: 'B01 what looks like query syntax finds its own memory first among 20 others, in every mode',
    steps: [
      saveAll([
        'what\'s "foo AND (bar',
        ...Array.from({ length: 20 }, (_, at) => `a note on bar and foo, number ${at}`),
      ]),
      ...['keyword', 'hybrid'].map((mode) => findsFirst('what\'s "foo AND (bar', 1, { mode })),
      ...['NEAR(foo bar)', 'content: foo', '"foo', 'foo*', '^foo', 'foo OR', '-foo', '{foo}', "what's"].map(
        (query): Step => ({
          operation: 'memory_search',
          input: { query, depth: 1, mode: 'keyword' },
          gives: { output: expect.objectContaining({ degraded: [], mode: 'keyword' }) },
        }),
      ),
      {
        operation: 'memory',
        input: { action: 'search', query: 'what\'s "foo AND (bar' },
        gives: { output: { facts: [] } },
      },
    ],
  },
  {
    name: 'B02 dates, hyphens, ::, paths, C++, #42 and addresses find their own memory',
    steps: [
      saveAll(identifiers.map((text) => `note about ${text}`)),
      ...identifiers.flatMap((text, at) => [
        findsFirst(text, at + 1, { mode: 'keyword' }),
        findsFirst(text, at + 1, { mode: 'hybrid' }),
      ]),
    ],
  },
  {
    name: 'B05 and B68 the name of a project is no pattern and no part of a query',
    steps: [
      saveAll(
        projects.map(() => 'a note'),
        (at) => ({ project: projects[at] }),
      ),
      ...projects.map((project, at) => finds('note', [at + 1], { project })),
      ...['a_b', '100%'].map(
        (name): Step => ({
          operation: 'list_projects',
          input: { name },
          gives: {
            output: expect.objectContaining({
              projects: [expect.objectContaining({ name, memory_count: 1 })],
              total: 1,
            }),
          },
        }),
      ),
      {
        operation: 'memory_stats',
        input: { project: "x' OR 'q'='q" },
        gives: { output: expect.objectContaining({ memories: { active: 1, archived: 0, obsolete: 0 } }) },
      },
      {
        operation: 'merge_projects',
        input: { from: 'a_b', into: "it's" },
        gives: { output: expect.objectContaining({ name: "it's", moved: 1 }) },
      },
      finds('note', [2], { project: 'axb' }),
      finds('note', [1, 5], { project: "it's" }),
    ],
  },
  {
    name: 'B06 words of two or three Chinese, Japanese or Korean characters are found by keyword',
    steps: [
      saveAll(['今日はビルド機を再起動した', '部署脚本改用并行模式', '오늘 배포를 되돌렸다', '環境を再gen7後に戻す']),
      ...(
        [
          ['再起動', 1],
          ['ビルド', 1],
          ['并行', 2],
          ['배포', 3],
          ['gen7', 4],
        ] as const
      ).map(([query, id]) => finds(query, [id], { mode: 'keyword' })),
      finds('再配布', [], { mode: 'keyword' }),
    ],
  },
  {
    name: 'words are compared in NFKC and without regard to case, and stored as given',
    steps: [
      saveAll(['Die Straße ist lang', 'ΟΔΥΣΣΕΥΣ setzt über', 'ｆｕｌｌｗｉｄｔｈ ①', 'naïve Café', 'ﬁnal ﬂag']),
      ...(
        [
          ['STRASSE', 1],
          ['straße', 1],
          ['οδυσσευς', 2],
          ['fullwidth', 3],
          ['NAIVE cafe', 4],
          ['final FLAG', 5],
        ] as const
      ).map(([query, id]) => finds(query, [id], { mode: 'keyword' })),
      get(3, { content: 'ｆｕｌｌｗｉｄｔｈ ①' }),
      get(5, { content: 'ﬁnal ﬂag' }),
    ],
  },
  {
    name: 'B09 lists sent as text are read as lists or kept as one label, never as letters',
    steps: [
      save('x y', { tags: '["api","db"]', concepts: 'api', files: '[id].tsx' }),
      get(1, { tags: ['api', 'db'], concepts: ['api'], files: ['[id].tsx'] }),
      save('z z', { tags: '[]', concepts: '["one"]', supersedes: '[1]' }),
      get(2, { tags: [], concepts: ['one'], supersedes: [1] }),
      refused('w w', { supersedes: 'one' }, 'supersedes.0'),
      refused('w w', { tags: [['nested']] }, 'tags.0'),
      refused('w w', { tags: { a: 1 } }, 'tags.0'),
      refused('w w', { importance: '7.5' }, 'importance'),
      save('v v', { importance: '7', pinned: 'true', confidence: '0.25' }),
      get(3, { importance: 7, pinned: true, confidence: 0.25 }),
    ],
  },
  {
    name: 'B10 what is obsolete or archived and is said again is one live row',
    steps: [
      save('Runner is 192.0.2.10'),
      update(1, { status: 'obsolete' }, { status: 'obsolete' }),
      {
        operation: 'memory_save',
        input: { content: 'Runner is 192.0.2.10' },
        gives: {
          output: expect.objectContaining({
            id: 2,
            outcome: 'created',
            obsolete_matches: [expect.objectContaining({ id: 1 })],
          }),
        },
      },
      finds('runner 192.0.2.10', [2], { mode: 'keyword' }),
      finds('runner 192.0.2.10', [2], { mode: 'vector' }),
    ],
  },
  {
    name: 'B11 NUL is refused in text, key, label and query, and what was stored is still found',
    steps: [
      save('already here'),
      refused(`before\u0000after ${'x'.repeat(1_880)}`, {}, 'content'),
      refused('ok', { tags: ['a\u0000b'] }, 'tags.0'),
      refused('ok', { metadata: { deep: ['\u0000'] } }, 'metadata.deep.0'),
      { operation: 'memory_search', input: { query: 'a\u0000b' }, gives: { refused: 'invalid_input', field: 'query' } },
      {
        operation: 'memory',
        input: { action: 'save', category: 'other', key: 'a\u0000b', value: 'v' },
        gives: { refused: 'invalid_input', field: 'key' },
      },
      finds('already here', [1], { mode: 'keyword' }),
    ],
  },
  {
    name: 'B12 lengths count code points, and nothing is cut inside a character',
    steps: [
      save(`${'a'.repeat(19_999)}😀`),
      refused(`${'a'.repeat(20_000)}😀`, {}, 'content', /20,?000/),
      save('b', { title: `${'a'.repeat(199)}😀` }),
      refused('c', { title: `${'a'.repeat(200)}😀` }, 'title', /200/),
      get(2, { title: `${'a'.repeat(199)}😀` }),
      save(`${'b'.repeat(199)}😀 tail`),
      get(3, { title: expect.toSatisfy((title: string) => title.isWellFormed() && [...title].length <= 200) }),
      save(`${'c'.repeat(198)}👩‍👩‍👧‍👦 tail`),
      get(4, { title: expect.stringMatching(/^c+(👩‍👩‍👧‍👦)?…$/u) }),
    ],
  },
  {
    name: 'B13 null clears what may be empty, [] empties, {} changes nothing, null on the rest is refused',
    steps: [
      save('See the wiki', { source_url: 'https://wiki.test/x', tags: ['a'], title: 'Wiki', context: 'c' }),
      update(1, { source_url: null }, { source_url: null, tags: ['a'], title: 'Wiki', context: 'c' }),
      update(1, {}, { history: 1 }),
      update(1, { tags: [] }, { tags: [], title: 'Wiki', history: 2 }),
      ...['title', 'content', 'type', 'importance', 'confidence', 'status', 'tags'].map(
        (field): Step => ({
          operation: 'memory_update',
          input: { id: 1, [field]: null },
          gives: { refused: 'invalid_input', field },
        }),
      ),
      update(1, { context: null, expires_at: null, author: null }, { context: null, title: 'Wiki' }),
    ],
  },
  {
    name: 'B15 an id is never rounded: to read, change, hide, erase or link',
    steps: [
      save('the only one'),
      ...['9007199254740993', '9007199254740992', '1.0000000000000001', '+1', ' ', '0x1'].map(
        (id): Step => ({ operation: 'memory_get', input: { id }, gives: { refused: 'invalid_input', field: 'id' } }),
      ),
      ...['memory_update', 'memory_archive', 'memory_purge', 'memory_history'].map(
        (operation): Step => ({
          operation,
          input: { id: '9007199254740993', ...(operation === 'memory_update' ? { title: 'changed' } : {}) },
          gives: { refused: 'invalid_input', field: 'id' },
        }),
      ),
      refused('another', { supersedes: ['9007199254740993'] }, 'supersedes.0'),
      get('1', { content: 'the only one', history: 0, status: 'active' }),
    ],
  },
  {
    name: 'B16 blank text is refused wherever text is required',
    steps: [
      ...['', '   \n\t', '\u200b\u200b', '\u00a0', '\ufeff'].map((text) => refused(text, {}, 'content')),
      save('something'),
      {
        operation: 'memory_update',
        input: { id: 1, content: ' ' },
        gives: { refused: 'invalid_input', field: 'content' },
      },
      ...['', ' ', '\u200b'].flatMap((query): Step[] => [
        { operation: 'memory_search', input: { query }, gives: { refused: 'invalid_input', field: 'query' } },
        {
          operation: 'memory',
          input: { action: 'search', query },
          gives: { refused: 'invalid_input', field: 'query' },
        },
      ]),
      {
        operation: 'memory',
        input: { action: 'save', category: 'other', key: 'k', value: '\u200b' },
        gives: { refused: 'invalid_input', field: 'value' },
      },
    ],
  },
  {
    name: 'B17 an edit is found by its new text alone',
    steps: [
      save('Deploys go through Jenkins'),
      save('Jenkins was the butler of the old house'),
      update(1, { content: 'Deploys go through Argo' }, { content: 'Deploys go through Argo' }),
      finds('Argo', [1], { mode: 'keyword' }),
      finds('Jenkins', [2], { mode: 'keyword' }),
      findsFirst('Argo', 1, { mode: 'vector' }),
      findsFirst('Jenkins', 2, { mode: 'vector' }),
      {
        operation: 'memory_stats',
        input: {},
        gives: { output: expect.objectContaining({ vectors: { rows: 2, pending: 0, model: 'fake-384' } }) },
      },
    ],
  },
  {
    name: 'the same key gives the first answer again, and another body under it is a conflict',
    steps: [
      {
        operation: 'memory_save',
        input: { content: 'once', idempotency_key: 'k' },
        gives: { output: expect.objectContaining({ id: 1, outcome: 'created' }) },
      },
      {
        operation: 'memory_save',
        input: { content: 'once', idempotency_key: 'k' },
        gives: { output: expect.objectContaining({ id: 1, outcome: 'created' }) },
      },
      { operation: 'memory_save', input: { content: 'twice', idempotency_key: 'k' }, gives: { refused: 'conflict' } },
      { operation: 'memory_archive', input: { id: 1, idempotency_key: 'k' }, gives: { refused: 'conflict' } },
      get(1, { content: 'once', status: 'active' }),
    ],
  },
  {
    name: 'characters of the Tags block are stripped, other controls are stored as given',
    steps: [
      save('vis\u{E0049}\u{E0067}ible \u0007\u001b[2J \u202e end', { tags: ['\u{E0041}tag'] }),
      get(1, { content: 'visible \u0007\u001b[2J \u202e end', tags: ['tag'] }),
    ],
  },
  {
    name: 'metadata keeps within its bounds and reaches no prototype',
    steps: [
      refused('x', { metadata: { a: { constructor: 1 } } }, 'metadata.a.constructor'),
      refused('x', { metadata: { prototype: 1 } }, 'metadata.prototype'),
      refused('x', { metadata: { big: 'y'.repeat(16_400) } }, 'metadata'),
      refused('x', { metadata: [1] }, 'metadata'),
      save('x', { metadata: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } }),
      refused('x', { metadata: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } }, 'metadata.a'),
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
