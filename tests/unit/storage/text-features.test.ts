import { describe, expect, it } from 'vitest';
import { featuresOf, hitFeaturesOf } from '#daemon/storage/keywords/text-features.ts';

describe('features of a text', () => {
  it('counts words, and characters of scripts that have no spaces', () => {
    expect(featuresOf({ text: 'three plain words' }).words).toBe(3);
    expect(featuresOf({ text: '并行模式' }).words).toBe(4);
    expect(featuresOf({ text: '' }).words).toBe(0);
  });

  it('knows a question by its end, in any writing', () => {
    for (const text of ['Why?', 'So "why?" ', 'どうして？']) expect(featuresOf({ text }).question).toBe(true);
    for (const text of ['Why? Because.', 'No.', '']) expect(featuresOf({ text }).question).toBe(false);
  });

  it('tells code from prose', () => {
    const code = [
      'def add(a, b):\n    """Sum."""\n    return a + b',
      'export function add(a: number, b: number) {\n  return a + b;\n}',
      'SELECT id FROM memories\nWHERE status = 1;',
    ];
    const prose = [
      'We chose SQLite (with WAL) because it needs no server.',
      'Call `add(1, 2)` before you start; it returns the sum.',
      'First we import the data. Then we return to the office for lunch.',
      '',
    ];
    expect(code.map((text) => featuresOf({ text }).code)).toEqual([true, true, true]);
    expect(prose.map((text) => featuresOf({ text }).code)).toEqual([false, false, false, false]);
  });

  it('keeps the author in lower case and the place in a session, where they are known', () => {
    expect(featuresOf({ text: 'x', author: ' Ada Lovelace ', sequence: 0 })).toMatchObject({
      author: 'ada lovelace',
      sequence: 0,
    });
    expect(featuresOf({ text: 'x', author: null, sequence: null })).toEqual({ words: 1, question: false, code: false });
  });

  it('comes back from the store as it went in, and from a damaged row as that of an empty text', () => {
    const features = featuresOf({ text: 'Is it?', author: 'Ada', sequence: 4 });
    expect(hitFeaturesOf(JSON.stringify(features), 'talk')).toEqual({ ...features, session: 'talk' });
    const empty = { words: 0, question: false, code: false, session: null };
    for (const json of ['', '{', '{}', '[]']) expect(hitFeaturesOf(json, null)).toEqual(empty);
  });
});
