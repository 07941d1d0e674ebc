import { describe, expect, it } from 'vitest';
import { isWorthTelling } from '#daemon/retrieval/silence.ts';

const model = 'bge-small-en-v1.5';
const noise = { mean: 0.45, deviation: 0.05, rows: 300 };
const worth = (similarity: number | null, coverage: number, matchedWords = 3) =>
  isWorthTelling({ similarity, coverage, matchedWords }, model, noise);

describe('what is told unasked', () => {
  it('is near the prompt, or holds most of its words and is not far', () => {
    expect(worth(0.68, 0)).toBe(true);
    expect(worth(0.66, 0.3)).toBe(false);
    expect(worth(0.6, 0.7)).toBe(true);
    expect(worth(0.5, 1)).toBe(false);
  });

  it('is more than one word that happens to be in it', () => {
    expect(worth(0.6, 1, 1)).toBe(false);
  });

  it('must be told by its words where it has no vector', () => {
    expect(worth(null, 0.7)).toBe(true);
    expect(worth(null, 0.3)).toBe(false);
    expect(isWorthTelling({ similarity: null, coverage: 0.9, matchedWords: 2 }, model, null)).toBe(true);
  });

  it('is measured by the level of the model that is in use', () => {
    const other = { mean: 0.78, deviation: 0.02, rows: 300 };
    const hit = { similarity: 0.8, coverage: 0, matchedWords: 0 };
    expect(isWorthTelling(hit, model, noise)).toBe(true);
    expect(isWorthTelling(hit, 'e5-small-v2', other)).toBe(false);
    expect(isWorthTelling({ ...hit, similarity: 0.9 }, 'e5-small-v2', other)).toBe(true);
  });
});
