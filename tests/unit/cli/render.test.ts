import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageOf, durationText, sizeText } from '#clients/cli/render/age.ts';
import { emphasise } from '#clients/cli/render/emphasis.ts';
import { escapeBlock, escapeJson, escapeLine } from '#clients/cli/render/escape.ts';
import { renderers, renderOutput } from '#clients/cli/render/renderers.ts';
import { createStyle, type View, wantsColour } from '#clients/cli/render/style.ts';
import { table } from '#clients/cli/render/table.ts';
import { displayWidth, fitWidth, padWidth } from '#clients/cli/render/width.ts';
import { contracts } from '#shared/contract/index.ts';
import { memoryRecordSample } from '../../support/memory-record-sample.ts';

const nowMs = Date.UTC(2026, 0, 5, 9);
const plain: View = { style: createStyle(false), columns: null, nowMs, input: {} };
const dangerous = '\u001b[31mred\u001b[0m \u009b2J\u0007\u202Egnp.exe\u0000';

describe('escaping', () => {
  it('shows every control character and bidirectional override, and obeys none', () => {
    expect(escapeLine(dangerous)).toBe('\\x1b[31mred\\x1b[0m \\x9b2J\\x07\\u202egnp.exe\\x00');
    expect(escapeLine('a\nb\tc\r')).toBe('a\\nb\\tc\\r');
    expect(escapeLine('tag \u{E0041}')).toBe('tag \\u{e0041}');
  });

  it('keeps line breaks and tabs in a block', () => {
    expect(escapeBlock('a\r\nb\n\tc\rd')).toBe('a\nb\n\tc\\rd');
  });

  it('leaves text of any script as it is', () => {
    for (const text of ['naïve café', '東京の記憶', 'שלום', '👩‍🔬🇩🇪', 'نه‌خیر']) expect(escapeLine(text)).toBe(text);
  });

  it('escapes JSON without changing what it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeJson(JSON.stringify({ text }));
        expect(JSON.parse(escaped)).toEqual({ text });
        expect(escaped).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('width', () => {
  it.each([
    ['abc', 3],
    ['東京', 4],
    ['한국어', 6],
    ['ｶﾅ', 2],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['👩‍🔬', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['→✓', 2],
    ['', 0],
  ])('%j takes %i columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });

  it('cuts between graphemes and never beyond the room', () => {
    expect(fitWidth('東京タワー', 6)).toBe('東京…');
    expect(fitWidth('ab👩‍🔬cd', 4)).toBe('ab…');
    expect(fitWidth('short', 10)).toBe('short');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, columns) => {
        const shown = escapeLine(text);
        expect(displayWidth(fitWidth(shown, columns))).toBeLessThanOrEqual(Math.max(columns, 1));
        expect(fitWidth(shown, columns).isWellFormed()).toBe(true);
      }),
    );
  });

  it('pads by columns', () => {
    expect(padWidth('東京', 6)).toBe('東京  ');
    expect(padWidth('7', 3, 'right')).toBe('  7');
  });
});

describe('tables', () => {
  const columns = [{ head: 'ID', align: 'right' }, { head: 'NAME' }, { head: 'TITLE' }] as const;

  it('keep their columns with wide text and emoji', () => {
    const lines = table(
      columns,
      [
        ['1', '東京', 'one'],
        ['22', 'ab', 'two'],
        ['3', '👩‍🔬', 'three'],
      ],
      plain,
    ).split('\n');
    const starts = lines.map((line) => displayWidth(line.slice(0, line.search(/TITLE|one|two|three/))));
    expect(new Set(starts).size).toBe(1);
  });

  it('fit the terminal and are whole when piped', () => {
    const rows = [['1', 'a', 'long '.repeat(50).trim()]];
    const onTerminal = table(columns, rows, { ...plain, columns: 40 }).split('\n');
    expect(onTerminal.every((line) => displayWidth(line) <= 40)).toBe(true);
    expect(onTerminal[1]).toMatch(/…$/);
    expect(table(columns, rows, plain)).toContain(rows[0]?.[2]);
  });

  it('one row is one line, whatever is in it', () => {
    expect(table(columns, [['1', 'a\nb', dangerous]], plain).split('\n')).toHaveLength(2);
  });
});

describe('colour', () => {
  const terminal = { isTTY: true };
  it('is for a terminal alone, and off by --no-color, NO_COLOR and TERM=dumb', () => {
    expect(wantsColour(terminal, {}, undefined)).toBe(true);
    expect(wantsColour({}, {}, undefined)).toBe(false);
    expect(wantsColour(terminal, {}, false)).toBe(false);
    expect(wantsColour(terminal, { NO_COLOR: '1' }, undefined)).toBe(false);
    expect(wantsColour(terminal, { NO_COLOR: '' }, undefined)).toBe(true);
    expect(wantsColour(terminal, { TERM: 'dumb' }, undefined)).toBe(false);
  });

  it('emphasises the words of a query in any case, and a query is no pattern', () => {
    const mark = (query: string) => emphasise(query, (text) => `<${text}>`);
    expect(mark('deploy tuesday')('We Deploy on Tuesday')).toBe('We <Deploy> on <Tuesday>');
    expect(mark('c++ (.*) [a')('c++ (.*) [a')).toBe('c++ (.*) [a');
    expect(mark('car cargo')('cargo car')).toBe('<cargo> <car>');
  });
});

describe('numbers for people', () => {
  it('ages', () => {
    const ago = (ms: number) => ageOf(new Date(nowMs - ms).toISOString(), nowMs);
    expect([ago(0), ago(59_000), ago(60_000), ago(3 * 3_600_000), ago(12 * 86_400_000), ago(400 * 86_400_000)]).toEqual(
      ['now', 'now', '1m', '3h', '12d', '1y'],
    );
    expect(ago(-60_000)).toBe('now');
  });

  it('durations and sizes', () => {
    expect([durationText(850), durationText(12_340), durationText(600_000)]).toEqual(['850 ms', '12.3 s', '10 min']);
    expect([sizeText(0), sizeText(1_536), sizeText(5 * 2 ** 30)]).toEqual(['0 B', '1.5 KB', '5.0 GB']);
  });
});

describe('answers', () => {
  const hit = {
    id: 42,
    kind: 'memory',
    title: 'We deploy on Tuesdays',
    type: 'decision',
    project: 'shop',
    score: 0.8123,
    summary: 's',
    updated_at: '2026-01-02T09:00:00.000Z',
  };
  const search = { results: [hit], related: [], depth: 2, mode: 'hybrid', degraded: [], took_ms: 1 };

  it('a search is a table with id, score, age and title, its matches emphasised', () => {
    const view = { ...plain, style: createStyle(true), input: { query: 'deploy' } };
    const { result } = renderOutput('memory_search', search, view);
    expect(renderOutput('memory_search', search, plain).result).toBe(
      'ID  SCORE  AGE  TITLE\n42   0.81   3d  We deploy on Tuesdays',
    );
    expect(result).toContain('We \u001b[1mdeploy\u001b[22m on Tuesdays');
  });

  it('a search says on stderr that it found nothing, and what it did without', () => {
    const rendered = renderOutput(
      'memory_search',
      { ...search, results: [], degraded: ['vector'], hint: 'Try shop.' },
      plain,
    );
    expect(rendered.result).toBe('');
    expect(rendered.notices?.join('\n')).toMatch(/Nothing found[\s\S]*Try shop[\s\S]*vector/);
  });

  it('a search with explain shows the factors, and a foreign hit its project', () => {
    const explained = {
      ...search,
      results: [{ ...hit, cross_project: true, explain: { relevance: 0.91234, decay: 1 } }],
    };
    const { result } = renderOutput('memory_search', explained, plain);
    expect(result).toContain('We deploy on Tuesdays [shop]');
    expect(result).toContain('relevance 0.912  decay 1');
  });

  it('a whole memory shows its text and what is filled, and leaves out what is empty', () => {
    const { result } = renderOutput(
      'memory_get',
      { ...memoryRecordSample, content: `one\ntwo ${dangerous}`, problem: 'slow' },
      plain,
    );
    expect(result).toContain('#42 We deploy on Tuesdays (active, decision, regular)');
    expect(result).toContain('one\ntwo \\x1b[31mred');
    expect(result).toContain('Problem\nslow');
    expect(result).not.toContain('source url');
    expect(result).not.toContain('null');
  });

  it('a save is one line, and what is to be known about it goes to stderr', () => {
    const rendered = renderOutput(
      'memory_save',
      {
        id: 7,
        outcome: 'merged',
        merged_into: 7,
        similarity: 0.95,
        possible_conflict: { id: 3, similarity: 0.9 },
        project: 'shop',
        warnings: ['embedding_pending'],
      },
      plain,
    );
    expect(rendered.result).toBe('Merged into #7 in project shop (similarity 0.95).');
    expect(rendered.notices).toEqual(['It may contradict #3; both are kept.', 'warning: embedding_pending']);
  });

  it('stats have a bar for each band of decay, in proportion, and none empty that counts something', () => {
    const stats = {
      memories: { active: 101, archived: 2, obsolete: 0 },
      by_type: { fact: 90, decision: 11 },
      by_tier: { regular: 101 },
      by_project: [{ name: 'shop', memories: 101 }],
      decay: { fresh: 100, aging: 1, fading: 0 },
      fading_in_30_days: 4,
      fading_next: [{ id: 7, title: 'Old\u0007 habits', fades_at: '2026-02-03T04:05:06.000Z' }],
      growth: [0, 1, 8].map((saved) => ({ from: '2026-01-01T00:00:00.000Z', saved })),
      accesses: 12,
      vectors: { rows: 101, pending: 0, model: 'bge' },
      bytes: { database: 1_536, vectors: 0, backups: 0 },
      jobs: [],
    };
    const lines = renderOutput('memory_stats', stats, plain).result.split('\n');
    const bar = (name: string) =>
      /█*/.exec(lines.find((line) => line.trim().startsWith(name))?.replace(/^\s*\w+\s*/, '') ?? '')?.[0].length;
    expect([bar('fresh'), bar('aging'), bar('fading')]).toEqual([30, 1, 0]);
    expect(lines.join('\n')).toContain('101 active, 2 archived, 0 obsolete');
    expect(lines).toContain('  ·▁█  9, at most 8 a week');
    expect(lines).toContain('  2026-02-03  #7  Old\\x07 habits');
  });

  it('history shows every version with its time and text', () => {
    const entry = {
      version: 1,
      action: 'update',
      recorded_from: '2026-01-01T00:00:00.000Z',
      recorded_to: '2026-01-02T00:00:00.000Z',
      title: 'T',
      content: 'old\ntext',
      changed: ['content'],
      agent: null,
    };
    const { result } = renderOutput('memory_history', { id: 1, versions: [entry] }, plain);
    expect(result).toContain('version 1  2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z  update (content)');
    expect(result).toContain('    old\n    text');
    expect(renderOutput('memory_history', { id: 1, versions: [] }, plain).result).toBe('');
  });

  it('health gives the reason of what is not ok', () => {
    const ok = { status: 'ok' };
    const health = {
      status: 'degraded',
      version: '1',
      pid: 5,
      uptime_s: 61,
      daemon: ok,
      database: ok,
      vector_index: ok,
      embedder: { status: 'down', why: 'no model', model: null },
      jobs: ok,
      disk: ok,
      backups: { last_at: '2026-01-04T02:30:00.000Z', rehearsed_at: null },
    };
    const { result } = renderOutput('memory_health', health, plain);
    expect(result).toContain('down: no model (no model)');
    expect(result).toMatch(/backups +last .*; restored on trial never/);
    const young = { ...health, backups: { last_at: null, rehearsed_at: null } };
    expect(renderOutput('memory_health', young, plain).result).toMatch(/backups +none yet: .*loci backup create/);
  });

  it('each action of the memory tool has its own answer', () => {
    const show = (output: unknown) => renderOutput('memory', output, plain);
    const fact = {
      category: 'technical',
      key: 'ci_host',
      value: 'Runner',
      src: 'conversation',
      conf: 70,
      ctx: null,
      updated_at: '2026-01-05T08:00:00.000Z',
      expires_at: null,
    };
    expect(
      show({ action: 'save', category: 'technical', key: 'k', created: true, id: 3, expires_at: null }).result,
    ).toBe('Saved technical/k (#3).');
    expect(
      show({ action: 'save', category: 'technical', key: 'k', created: false, id: 3, expires_at: null }).result,
    ).toMatch(/^Replaced/);
    expect(show({ facts: [fact] }).result).toMatch(/technical\/ci_host\s+70\s+1h\s+Runner/);
    expect(show({ facts: [] })).toEqual({ result: '', notices: ['Nothing found.'] });
    expect(show({ deleted: 1 }).result).toBe('Forgot 1 fact.');
    expect(
      show({ categories: [{ category: 'technical', facts: 2, updated_at: '2026-01-05T08:00:00.000Z' }] }).result,
    ).toMatch(/technical\s+2\s+1h/);
  });

  it('an operation without a renderer of its own is shown by its shape', () => {
    const output = {
      total: 2,
      name: `x${dangerous}`,
      items: [
        { id: 1, deep: { a: 1 } },
        { id: 2, deep: null },
      ],
      none: [],
    };
    const { result } = renderOutput('not_declared_yet', output, plain);
    expect(result).toContain('total  2');
    expect(result).toMatch(/ID\s+DEEP/);
    expect(result).not.toContain('\u001b');
  });

  it('no renderer stands for an operation that does not exist', () => {
    expect([...renderers.keys()].filter((name) => !contracts.some((contract) => contract.name === name))).toEqual([]);
  });
});
