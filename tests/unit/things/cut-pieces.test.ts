import { describe, expect, it } from 'vitest';
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import { analyseWords } from '#daemon/things/analyse-words.ts';
import { cutPieces, firstPassage } from '#daemon/things/cut-pieces.ts';

/** Ten words a passage, of which two stand in the next one as well. */
const split = async (text: string) => {
  const words = text.match(/\S+\s*/g) ?? [''];
  const parts: string[] = [];
  for (let at = 0; at === 0 || at + 2 < words.length; at += 8) parts.push(words.slice(at, at + 10).join(''));
  return parts;
};
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

describe('passages', () => {
  it('never cross a piece, carry its lead, and know where they stand in the body', async () => {
    const body = `intro\n${numbered(12)}`;
    const passages = await cutPieces(
      [
        { text: 'Title\nintro\n', startAt: -6 },
        { text: numbered(12), startAt: 6, headings: ['A'], lead: 'Title › A' },
      ],
      split,
    );
    expect(passages.map(({ text }) => text.trim())).toEqual([
      'Title\nintro',
      `Title › A\n${numbered(10)}`,
      'Title › A\nw8 w9 w10 w11',
    ]);
    expect(passages.map(({ startAt, endAt }) => body.slice(startAt, endAt).trim())).toEqual([
      'intro',
      numbered(10),
      'w8 w9 w10 w11',
    ]);
    expect(passages.map(({ headings }) => headings)).toEqual([[], ['A'], ['A']]);
  });

  it('a text of megabytes is read block by block, and nothing of it is lost', async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `line number ${at}`).join('\n');
    const asked: number[] = [];
    const passages = await cutPieces([{ text }], async (block) => {
      asked.push(block.length);
      return [block];
    });
    expect(Math.max(...asked)).toBeLessThanOrEqual(50_000);
    expect(passages.map((passage) => passage.text).join('')).toBe(text);
    expect(passages.map(({ startAt, endAt }) => text.slice(startAt, endAt)).join('')).toBe(text);
  });

  it('a block is never cut inside a surrogate pair', async () => {
    const passages = await cutPieces([{ text: `x${'🦊'.repeat(40_000)}` }], async (block) => [block]);
    expect(passages.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('the first one is found without reading the rest of a long text', async () => {
    const asked: number[] = [];
    const { passage, isOnly } = await firstPassage([{ text: numbered(100_000) }], (text) => {
      asked.push(text.length);
      return split(text);
    });
    expect([passage.text.trim(), isOnly]).toEqual([numbered(10), false]);
    expect(asked).toEqual([expect.toSatisfy((length: number) => length <= 4_000)]);
    expect(await firstPassage([{ text: 'short' }], split)).toMatchObject({ isOnly: true });
    expect(await firstPassage([{ text: 'short' }, { text: 'more' }], split)).toMatchObject({ isOnly: false });
  });
});

describe('the words of a long text', () => {
  it('are the same block by block as at once', async () => {
    const text = Array.from({ length: 9_000 }, (_, at) => `parseHttpUrl of line ${at}`).join('\n');
    const source = { title: 'T', texts: [null, text], labels: ['tag'], names: [], dates: [] };
    const { words, features } = await analyseWords(source);
    const whole = indexTextOf(source);
    const bag = (body: string) => body.split(/\s+/).filter(Boolean).sort();
    expect(bag(words.body)).toEqual(bag(whole.body));
    expect([words.title, words.labels]).toEqual([whole.title, whole.labels]);
    expect(features.words).toBe(featuresOf({ text }).words);
  });
});
