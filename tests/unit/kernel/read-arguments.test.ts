import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readArguments } from '#daemon/kernel/read-arguments.ts';
import { id } from '#shared/contract/common.ts';
import { LociError } from '#shared/errors.ts';

const schema = z.strictObject({
  name: z.string().optional(),
  count: z.int().optional(),
  ratio: z.number().optional(),
  flag: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  ids: z.array(id).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  cleared: z.string().nullable().optional(),
  title: z.string(),
  options: z.strictObject({ depth: z.int().optional() }).optional(),
  items: z.array(z.strictObject({ size: z.int().optional(), note: z.string().optional() })).optional(),
  anything: z.unknown().optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

const read = (raw: unknown, nullIsAbsent = true): Record<string, unknown> =>
  readArguments(schema, raw, { nullIsAbsent });

const refusal = (raw: unknown): LociError => {
  try {
    read(raw);
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('numbers and booleans sent as text', () => {
  it.each([
    ['5', 5],
    ['-5', -5],
    ['0', 0],
    [' 5 ', 5],
    ['1.0', 1],
    ['1.000', 1],
    ['1e3', 1000],
    ['1.9', 1.9],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('the text %j is the number %d', (text, number) => {
    expect(read({ count: text })).toEqual({ count: number });
  });

  it.each([
    'abc',
    '',
    ' ',
    '5abc',
    '0x10',
    '007',
    '+5',
    '.5',
    '5.',
    '1_000',
    '1,000',
    'NaN',
    'Infinity',
    '1e999',
    '1e-999',
    '9007199254740993',
    '90071992547409910',
    '4.0000000000000000000001',
    '9007199254740993.0',
    '1000000000000000000001e-5',
    '٥',
    'true',
  ])('the text %j stays what it is, and is refused by the contract', (text) => {
    expect(read({ count: text })).toEqual({ count: text });
  });

  it('a text that is a decimal number keeps its value exactly as a double does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const given = String(number === 0 ? 0 : number).replace('e+', 'e');
        const { ratio } = read({ ratio: given });
        expect(ratio === Number(given) || ratio === given).toBe(true);
        if (!Number.isInteger(number)) expect(ratio).toBe(number);
      }),
    );
  });

  it('a whole number sent as text is never read as another one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (whole) => {
        const { count } = read({ count: String(whole) });
        if (typeof count === 'number') expect(BigInt(count)).toBe(whole);
        else expect(count).toBe(String(whole));
      }),
    );
  });

  it('only true and false, in these letters, are booleans', () => {
    expect(read({ flag: 'true' })).toEqual({ flag: true });
    expect(read({ flag: 'false' })).toEqual({ flag: false });
    for (const other of ['TRUE', 'yes', '1', '', ' true']) expect(read({ flag: other })).toEqual({ flag: other });
  });

  it('never the reverse: a number or boolean where a text is asked for stays one', () => {
    expect(read({ name: 5, title: true })).toEqual({ name: 5, title: true });
    expect(read({ name: '5', title: 'true' })).toEqual({ name: '5', title: 'true' });
  });

  it('numbers inside of lists and objects are read alike', () => {
    expect(read({ ids: ['1', 2], options: { depth: '3' }, items: [{ size: '4', note: '4' }] })).toEqual({
      ids: [1, 2],
      options: { depth: 3 },
      items: [{ size: 4, note: '4' }],
    });
  });
});

describe('B09 lists', () => {
  it.each([
    ['["api","db"]', ['api', 'db']],
    [' [ "api" ] ', ['api']],
    ['[]', []],
    ['api', ['api']],
    ['api,db', ['api,db']],
    ['[id].tsx', ['[id].tsx']],
    ['[1, 2]', ['[1, 2]']],
    ['["a", 1]', ['["a", 1]']],
    ['["a"', ['["a"']],
    ['', []],
    ['   ', []],
  ])('the text %j for a list of texts is %j', (text, list) => {
    expect(read({ tags: text })).toEqual({ tags: list });
  });

  it.each([
    ['[1]', [1]],
    ['["1", 2]', [1, 2]],
    ['7', [7]],
    [7, [7]],
    ['["x"]', ['["x"]']],
    ['1,2', ['1,2']],
  ])('%j for a list of ids is %j', (given, list) => {
    expect(read({ ids: given })).toEqual({ ids: list });
  });

  it('blanks and repeats are dropped after trimming and case folding, the first spelling stays', () => {
    expect(read({ tags: ['  API ', 'api', 'Api', '', ' \t', '\u200b', 'db', 'ＤＢ', 'straße'] })).toEqual({
      tags: ['API', 'db', 'straße'],
    });
    expect(read({ ids: [3, '3', 4] })).toEqual({ ids: [3, 4] });
  });

  it('members of another type are left for the contract to refuse', () => {
    expect(read({ tags: [1, null, ['a']] })).toEqual({ tags: [1, null, ['a']] });
  });

  it('a text in a field that takes a text or a list is a list of one', () => {
    expect(read({ either: 'a,b' })).toEqual({ either: ['a,b'] });
  });

  it('control characters cannot hide in a list or object that is sent as text', () => {
    expect(refusal({ tags: '["ok","a\\u0000b"]' }).message).toBe('`tags.1` must not hold the character NUL (U+0000).');
    expect(refusal({ options: '{"depth": "\\ud83d"}' }).details).toHaveProperty(['options.depth']);
    expect(refusal({ items: [{}, '{"note": "\\ud83d"}'] }).details).toHaveProperty(['items.1.note']);
    expect(read({ tags: '["a\\udb40\\udc41b"]' })).toEqual({ tags: ['ab'] });
  });
});

describe('absent and null', () => {
  it('null for an optional field that cannot be null counts as absent', () => {
    expect(read({ title: 't', name: null, count: null, tags: null, items: [{ size: null }] })).toEqual({
      title: 't',
      items: [{}],
    });
  });

  it('null stays where it means something or is wrong', () => {
    expect(read({ title: null, cleared: null, anything: null })).toEqual({
      title: null,
      cleared: null,
      anything: null,
    });
  });

  it('in an update null is never taken for absent', () => {
    expect(read({ name: null, cleared: null }, false)).toEqual({ name: null, cleared: null });
  });

  it('no arguments at all are an empty object', () => {
    expect(read(undefined)).toEqual({});
    expect(read(null)).toEqual({});
  });

  it.each([[[]], [[{}]], ['text'], [5], [true]])('%j is no object of fields', (raw) => {
    expect(refusal(raw).message).toBe('The arguments must be a JSON object of named fields.');
  });
});

describe('B11, B12 text that would do harm', () => {
  it.each([
    [{ name: 'a\u0000b' }, '`name` must not hold the character NUL (U+0000).'],
    [{ tags: ['ok', 'a\u0000'] }, '`tags.1` must not hold the character NUL (U+0000).'],
    [{ extra: { 'a\u0000': 1 } }, '`extra` must not hold the character NUL (U+0000).'],
    [{ name: '\ud83d' }, '`name` must be well-formed Unicode: it holds half of a surrogate pair.'],
    [
      { items: [{ note: 'x\udc00' }] },
      '`items.0.note` must be well-formed Unicode: it holds half of a surrogate pair.',
    ],
  ])('%j is refused by the name of its field', (raw, message) => {
    const error = refusal(raw);
    expect([error.code, error.message]).toEqual(['invalid_input', message]);
    expect(Object.keys(error.details)).toHaveLength(1);
  });

  it('other controls, emoji and unusual letters come through exactly', () => {
    const name = 'a\u0001\u001b[31m\r\n\t\u202e👩‍👩‍👧 ﬁ Å\u0041\u030a';
    expect(read({ name })).toEqual({ name });
  });

  it('characters of the Tags block are taken out, everywhere', () => {
    expect(read({ name: 'safe\u{E0049}\u{E007F}!', extra: { 'k\u{E0041}': ['v\u{E0041}'] } })).toEqual({
      name: 'safe!',
      extra: { k: ['v'] },
    });
  });

  it('any well-formed text without NUL and tags stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        fc.pre(!/[\u0000\u{E0000}-\u{E007F}]/u.test(name));
        expect(read({ name })).toEqual({ name });
      }),
    );
  });

  it('names that reach a prototype change no prototype', () => {
    expect(refusal(JSON.parse('{"__proto__": {"polluted": 1}}')).message).toContain('`__proto__`');
    expect(refusal(JSON.parse('{"extra": {"a": {"__proto__": 1}}}')).message).toContain('`extra.a.__proto__`');
    expect(refusal({ options: '{"__proto__": {"polluted": 1}}' }).code).toBe('invalid_input');
    expect(read({ constructor: 1, toString: 2, hasOwnProperty: 3 })).toEqual({
      constructor: 1,
      toString: 2,
      hasOwnProperty: 3,
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('a list without end is refused before it costs time', () => {
    const started = performance.now();
    expect(refusal({ tags: Array.from({ length: 2_000_000 }, () => 0) }).message).toBe(
      '`tags` must not hold more than 500000 values.',
    );
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('a value nested without end is refused, not walked until the stack ends', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(refusal({ anything: deep }).message).toContain('`anything` must not nest deeper');
    expect(refusal({ tags: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }).code).toBe('invalid_input');
  });
});
