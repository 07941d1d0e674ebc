import { describe, expect, it } from 'vitest';
import { readFrontMatter } from '#daemon/hooks/front-matter.ts';

describe('the head of a memory file', () => {
  it.each([
    ['no head', 'Just text.\n---\nname: x', {}, 'Just text.\n---\nname: x'],
    ['an empty head', '---\n---\nText', {}, 'Text'],
    ['a head that is never closed', '---\nname: x\nText', {}, '---\nname: x\nText'],
    ['a sentence with a colon', '---\ndescription: note: see below\n---\nT', { description: 'note: see below' }, 'T'],
    ['signs that YAML keeps for itself', '---\na: *bold* and @x\nb: "q"\n---\nT', { a: '*bold* and @x', b: 'q' }, 'T'],
    ['CR line ends and a mark', '\uFEFF---\r\nname: x\r\n---\r\nA\r\nB', { name: 'x' }, 'A\nB'],
    ['a block', '---\nd: |\n  one: 1\n  two\n---\nT', { d: 'one: 1\ntwo\n' }, 'T'],
    ['nesting and lists', '---\nm:\n  type: user\nl: [a, 2]\n---\nT', { m: { type: 'user' }, l: ['a', 2] }, 'T'],
  ])('with %s', (_what, text, fields, body) => {
    expect(readFrontMatter(text)).toEqual({ fields, body });
  });

  it('is never multiplied by aliases, and no depth of it breaks anything', () => {
    const { fields } = readFrontMatter('---\na: &a [x, x]\nb: [*a, *a]\n---\nT');
    expect(fields).toEqual({ a: '&a [x, x]', b: '[*a, *a]' });
    expect(readFrontMatter(`---\na: ${'{b: '.repeat(10_000)}\n---\nT`).body).toBe('T');
  });
});
