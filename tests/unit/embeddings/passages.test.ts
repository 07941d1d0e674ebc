import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CountTokens,
  cutToBudget,
  isSurelyShort,
  passagesOf,
  splitIntoPassages,
} from '#daemon/embeddings/passages.ts';

/** One token for every four letters of a word, one for any other sign: the shape of a real tokenizer. */
const countTokens: CountTokens = (text) =>
  [...text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)].reduce((sum, [piece]) => sum + Math.ceil(piece.length / 4), 0);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc
    .array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), { maxLength: 900 })
    .map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom('e\u0301', '👩‍👩‍👧', '🇨🇭', ' ', '\r\n', '한', '記憶', '\u0301', 'ab'), { maxLength: 1_500 })
    .map((parts) => parts.join('')),
);
const budgets = fc.integer({ min: 60, max: 254 });

describe('passages', () => {
  it('together cover the text, in order and without a gap', () => {
    fc.assert(
      fc.property(anyText, budgets, (text, budget) => {
        const places = passagesOf(text, countTokens, budget);
        expect(places[0]?.start).toBe(0);
        expect(places.at(-1)?.end).toBe(text.length);
        for (const [index, place] of places.slice(1).entries()) {
          expect(place.start).toBeLessThanOrEqual(places[index]?.end ?? -1);
          expect(place.end).toBeGreaterThan(places[index]?.end ?? -1);
        }
      }),
    );
  });

  it('hold no more tokens than the budget', () => {
    fc.assert(
      fc.property(anyText, budgets, (text, budget) => {
        for (const passage of splitIntoPassages(text, countTokens, budget)) {
          const isOneGrapheme = [...graphemes.segment(passage.trim())].length <= 1;
          expect(isOneGrapheme || countTokens(passage) <= budget).toBe(true);
        }
      }),
    );
  });

  it('never cut a grapheme', () => {
    fc.assert(
      fc.property(anyText, budgets, (text, budget) => {
        const starts = new Set([...graphemes.segment(text)].map(({ index }) => index).concat(text.length));
        for (const { start, end } of passagesOf(text, countTokens, budget)) {
          expect(starts.has(start)).toBe(true);
          expect(starts.has(end)).toBe(true);
        }
      }),
    );
  });

  it('are the same each time', () => {
    fc.assert(
      fc.property(anyText, budgets, (text, budget) => {
        expect(splitIntoPassages(text, countTokens, budget)).toEqual(splitIntoPassages(text, countTokens, budget));
      }),
      { numRuns: 20 },
    );
  });

  it('are one, the text itself, when it fits', () => {
    expect(splitIntoPassages('a short text', countTokens, 254)).toEqual(['a short text']);
    expect(splitIntoPassages('', countTokens, 254)).toEqual(['']);
  });

  it('overlap by about 32 tokens and are of about equal length', () => {
    const text = Array.from({ length: 600 }, (_, index) => `w${index}`).join(' ');
    const passages = splitIntoPassages(text, countTokens, 254);
    const lengths = passages.map(countTokens);
    expect(passages).toHaveLength(3);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(4);
    const places = passagesOf(text, countTokens, 254);
    for (const [index, place] of places.slice(1).entries()) {
      const shared = countTokens(text.slice(place.start, places[index]?.end));
      expect(shared).toBeGreaterThanOrEqual(28);
      expect(shared).toBeLessThanOrEqual(32);
    }
  });

  it('split a script without spaces', () => {
    const passages = splitIntoPassages('記'.repeat(3_000), (text) => [...text.trim()].length, 254);
    expect(passages.length).toBeGreaterThanOrEqual(12);
    for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(254);
  });

  it('do not run for ever on a single grapheme that is longer than the budget', () => {
    const text = `a${'\u0301'.repeat(2_000)}`;
    expect(splitIntoPassages(text, (piece) => piece.length, 254)).toEqual([text]);
  });
});

describe('what one run of the model can take', () => {
  it('is the longest beginning of whole words that fits', () => {
    const text = 'one two three four five';
    expect(cutToBudget(text, (piece) => piece.split(/\s+/).filter(Boolean).length, 3)).toBe('one two three ');
  });

  it('counts bytes, not characters, where it promises that a text is short', () => {
    expect(isSurelyShort('a'.repeat(246))).toBe(true);
    expect(isSurelyShort('a'.repeat(247))).toBe(false);
    expect(isSurelyShort('한'.repeat(82))).toBe(true);
    expect(isSurelyShort('한'.repeat(83))).toBe(false);
  });
});
