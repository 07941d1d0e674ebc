import { describe, expect, it } from 'vitest';
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';

describe('a private span', () => {
  it.each([
    ['a <private>b</private> c', 'a  c'],
    ['a <PRIVATE>b</Private> c', 'a  c'],
    ['a <private>b', 'a '],
    ['a <private>b <private>c</private> d</private> e', 'a  e'],
    ['a <private >b</private\n> c', 'a  c'],
    ['a < private reason="x">b</ private> c', 'a  c'],
    ['a <pri\u200Bvate>b</\u200Bprivate> c', 'a  c'],
    ['<private>a</private><private>b</private>c', 'c'],
    ['a <private>b\n\n# c</private>\nd', 'a \nd'],
  ])('%j is dropped', (text, left) => {
    expect(withoutPrivateSpans(text)).toBe(left);
  });

  it.each([
    'the tag `<private>` and its `</private>` are words here',
    'a stray </private> ends nothing',
    'List<PrivateKey> and <privateer> and a < b, private > c',
    '',
  ])('%j is none', (text) => {
    expect(withoutPrivateSpans(text)).toBe(text);
  });

  it('of 200,000 characters takes at most 100 ms, whatever they are', () => {
    for (const piece of [
      '<',
      '<private>',
      '</private>',
      '< ',
      '<private ',
      '<\u200B',
      '<p\u200B',
      '\u200B',
      ' ',
      '`<private>`',
    ]) {
      const text = `<${piece.repeat(Math.ceil(200_000 / piece.length))}`;
      const startMs = performance.now();
      withoutPrivateSpans(text);
      expect([piece, performance.now() - startMs < 100]).toEqual([piece, true]);
    }
  });
});
