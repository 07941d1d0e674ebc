import { describe, expect, it } from 'vitest';
import { demandOf, isWorthTelling } from '#daemon/retrieval/silence.ts';

const model = 'bge-small-en-v1.5';
const noise = { mean: 0.45, deviation: 0.05, rows: 300 };
const prompt = demandOf('how are the invoices of the staging shop rendered in python', model, noise, null);
const worth = (similarity: number | null, ...words: string[]) => isWorthTelling({ similarity, words }, prompt);

describe('what is told unasked', () => {
  it('is near the prompt, or holds what it is about and is not far', () => {
    expect(worth(0.68)).toBe(true);
    expect(worth(0.66)).toBe(false);
    expect(worth(0.6, 'invoices', 'rendered', 'staging')).toBe(true);
    expect(worth(0.5, 'invoices', 'rendered', 'staging', 'shop')).toBe(false);
  });

  it('is more than a word that every prompt of a programmer may hold', () => {
    expect(worth(0.64, 'python')).toBe(false);
    expect(worth(0.64, 'python', 'invoices')).toBe(false);
    expect(worth(0.64, 'rendered', 'invoices')).toBe(true);
  });

  it('must be nearer where the prompt names no subject', () => {
    const vague = demandOf('fix the bug in the code', model, noise, null);
    expect(isWorthTelling({ similarity: 0.68, words: [] }, vague)).toBe(false);
    expect(isWorthTelling({ similarity: 0.7, words: [] }, vague)).toBe(true);
  });

  it('must be nearer where it belongs to another project', () => {
    expect(isWorthTelling({ similarity: 0.69, words: [] }, prompt, true)).toBe(false);
    expect(isWorthTelling({ similarity: 0.72, words: [] }, prompt, true)).toBe(true);
  });

  it('is not measured by the noise of a store that holds next to nothing', () => {
    const alone = demandOf('where do the sessions live', model, { mean: 0.6, deviation: 0, rows: 1 }, null);
    expect(isWorthTelling({ similarity: 0.6, words: ['sessions', 'live'] }, alone)).toBe(true);
    expect(isWorthTelling({ similarity: 0.6, words: [] }, alone)).toBe(false);
  });

  it('must be told by its words where it has no vector', () => {
    expect(worth(null, 'invoices', 'rendered', 'staging')).toBe(true);
    expect(worth(null, 'invoices', 'python')).toBe(false);
    const blind = demandOf('invoices rendered', model, null, null);
    expect(isWorthTelling({ similarity: null, words: ['invoices', 'rendered'] }, blind)).toBe(true);
  });

  it('is measured by the level of the model that is in use, unless the user has set a floor', () => {
    const other = { mean: 0.78, deviation: 0.02, rows: 300 };
    const far = { similarity: 0.8, words: [] };
    expect(isWorthTelling(far, demandOf('where are invoices', 'e5-small-v2', other, null))).toBe(false);
    expect(isWorthTelling(far, demandOf('where are invoices', 'another-model', other, null))).toBe(false);
    expect(
      isWorthTelling({ ...far, similarity: 0.9 }, demandOf('where are invoices', 'another-model', other, null)),
    ).toBe(true);
    expect(isWorthTelling(far, demandOf('where are invoices', 'another-model', other, 0.79))).toBe(true);
  });
});
