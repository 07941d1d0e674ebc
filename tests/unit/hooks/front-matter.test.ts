import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
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

  it('of any fields comes back as it was written', () => {
    const name = fc
      .stringMatching(/^[a-z][a-z0-9_-]{0,12}$/)
      .filter((text) => !['__proto__', 'constructor'].includes(text));
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\r\uFEFF]/.test(text)),
      fc.integer(),
      fc.boolean(),
      fc.array(
        fc.string({ maxLength: 10 }).filter((text) => !/[\r\uFEFF]/.test(text)),
        { maxLength: 4 },
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true }), (fields) => {
        const text = `---\n${stringify(fields, { lineWidth: 0, schema: 'core' })}---\nThe body\n`;
        expect(readFrontMatter(text)).toEqual({ fields, body: 'The body\n' });
      }),
    );
  });

  it('of any text is read without an error, and what is no head stays in the body', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '---\n',
        '...\n',
        'name: x\n',
        ': ',
        '&a ',
        '*a',
        '? ',
        '- ',
        '{',
        '[',
        '|\n',
        '"',
        "'",
        '#',
        '\t',
        '\r\n',
        '<<: *a\n',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const { fields, body } = readFrontMatter(text);
        expect(typeof body).toBe('string');
        if (!text.replace(/^\uFEFF/, '').startsWith('---')) {
          expect(fields).toEqual({});
          expect(body).toBe(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
