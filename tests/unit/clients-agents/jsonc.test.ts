// Whatever a JSON file looks like: what is put in is there, what is taken out again leaves the bytes that were.
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import type { Json } from '#clients/agents/edits/edit.ts';
import { appendElement, readJsonc, removeAt, setValue, valueAt } from '#clients/agents/edits/jsonc.ts';

const eols = ['\n', '\r\n'] as const;
const indents = ['  ', '    ', '\t', '   ', ''] as const;

/** A JSON text as people write it: with comments where they may stand, trailing commas, any indentation. */
const documents = fc.record({
  value: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== 'mine' && key !== '__proto__'),
    fc.oneof(
      fc.constant({}),
      fc.integer(),
      fc.string({ maxLength: 5 }),
      fc.array(fc.integer(), { maxLength: 3 }),
      fc.constant({ a: 1, b: [{}] }),
    ),
    { maxKeys: 4 },
  ),
  eol: fc.constantFrom(...eols),
  indent: fc.constantFrom(...indents),
  trailing: fc.boolean(),
  comments: fc.boolean(),
});

type Document = typeof documents extends fc.Arbitrary<infer Value> ? Value : never;

function textOf({ value, eol, indent, trailing, comments }: Document): string {
  const plain = JSON.stringify(value, null, indent);
  if (indent === '') return plain;
  const lines = plain.split('\n').map((line, index, all) => {
    const isLast = /^[ \t]*[}\]]/.test(all[index + 1] ?? '') && !/[{[,]$/.test(line);
    const comma = isLast && trailing ? ',' : '';
    return `${line}${comma}${comments && index % 2 === 0 ? ' // "a note", {' : ''}`;
  });
  return `${comments ? `/* top */${eol}` : ''}${lines.join(eol)}${eol}`;
}

describe('a property', () => {
  it('is put in and taken out, and every byte is as before', () => {
    fc.assert(
      fc.property(
        documents,
        fc.constantFrom(['mine'], ['mine', 'loci'], ['mine', 'deep', 'loci']),
        (document, path) => {
          const before = textOf(document);
          const after = setValue(before, path, { command: 'x', args: ['1', '2'] });
          expect(valueAt(after, path)).toEqual({ command: 'x', args: ['1', '2'] });
          expect(parse(after)).toMatchObject(JSON.parse(JSON.stringify(document.value)) as object);
          if (document.eol === '\r\n' && document.indent !== '')
            expect(after.replaceAll('\r\n', '')).not.toContain('\n');
          expect(removeAt(after, path, 0)).toBe(before);
        },
      ),
    );
  });

  it('below an object that is there leaves the others of it', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const before = textOf({ ...document, value: { ...document.value, mine: { other: 1 } } });
        const after = setValue(before, ['mine', 'loci'], { a: 1 });
        expect(valueAt(after, ['mine'])).toEqual({ other: 1, loci: { a: 1 } });
        expect(removeAt(after, ['mine', 'loci'], 1)).toBe(before);
      }),
    );
  });
});

describe('an element', () => {
  it('is appended and taken out, and every byte is as before', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.integer(), { minLength: 1, maxLength: 3 }), (document, list) => {
        const before = textOf({ ...document, value: { ...document.value, mine: list } });
        const after = appendElement(before, ['mine'], { command: 'x' });
        expect(valueAt(after, ['mine'])).toEqual([...list, { command: 'x' }] satisfies Json);
        expect(removeAt(after, ['mine', list.length], 1)).toBe(before);
      }),
    );
  });
});

describe('what is refused', () => {
  it.each([
    ['{"a": 1,, }', /line 1/],
    ['{\n"a": 1\n"b": 2}', /line 3/],
    ['{"a": {"b": 1, "b": 2}}', /"b" twice/],
    ['[{"a": 1, "a": 2}]', /no JSON object/],
    ['{"a": [{"b": 1, "b": 2}]}', /"b" twice/],
    ['{"a": 1}}', /line 1/],
    ['"text"', /no JSON object/],
  ])('%s', (text, why) => {
    expect(() => readJsonc(text)).toThrow(why);
  });

  it('a comment alone and an empty text are no mistakes', () => {
    expect(readJsonc('// nothing yet\n').value).toBeUndefined();
    expect(setValue('// nothing yet\n', ['a'], 1)).toBe('// nothing yet\n{\n  "a": 1\n}\n');
    expect(setValue('', ['a'], 1)).toBe('{\n  "a": 1\n}\n');
  });
});

describe('a comment', () => {
  it('stays behind the property that it speaks of', () => {
    const before = '{\n  "a": 1 // about a\n  // the end\n}\n';
    expect(setValue(before, ['b'], 2)).toBe('{\n  "a": 1, // about a\n  "b": 2\n  // the end\n}\n');
  });
});
