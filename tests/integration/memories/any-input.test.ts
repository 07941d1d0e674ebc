// Whatever a caller sends to whichever operation: an answer of the declared shape or a refusal with a code, a sentence and details.
// Anything else would reach an agent as `internal`.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alternativesOf, inputSchemaOf, type JsonSchema, typesOf } from '#daemon/kernel/input-schema.ts';
import { contracts } from '#shared/contract/index.ts';
import { LociError } from '#shared/errors.ts';
import { checkKeywordIndex } from '../../support/open-store-file.ts';
import { openTestStore } from '../../support/test-store.ts';

const odd = fc.constantFrom<unknown>(
  ...[
    '',
    ' ',
    '-1',
    '0',
    '1',
    '2',
    '1.5',
    'true',
    'null',
    '[]',
    '[1]',
    '["a"]',
    '{}',
    '{"a":1}',
    'shop',
    'SHOP',
    '%',
    "'",
    '"',
    '*',
  ],
  ...[
    'a"b',
    'NEAR(',
    '\u200b',
    '😀',
    '日本',
    'ß',
    '2026-01-05',
    '2026-01-05T09:00:00Z',
    'x'.repeat(300),
    'x y z '.repeat(500),
  ],
  ...[
    'active',
    'archived',
    'fact',
    'keyword',
    'save',
    'search',
    'list',
    'forget',
    'other',
    'a_key',
    'updated_at',
    'asc',
    'created',
  ],
  ...[
    0,
    1,
    2,
    3,
    7,
    50,
    -1,
    1.5,
    1e15,
    1e300,
    2 ** 53,
    Number.MAX_SAFE_INTEGER,
    true,
    false,
    null,
    [],
    {},
    [1],
    [1, 2],
    ['a'],
    [[]],
  ],
  ...[[null], [{}], { a: 1 }, { a: { b: ['c'] } }],
);
const value = fc.oneof(
  { weight: 6, arbitrary: odd },
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** A value that a schema allows, small ids among them, so that operations meet things that exist. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = alternativesOf(schema);
  if (options.length > 0) return fc.oneof(...options.map(fitting));
  const types = typesOf(schema);
  if (types.includes('integer')) {
    const min = schema.minimum ?? 1;
    return fc.integer({ min, max: Math.min(schema.maximum ?? min + 4, min + 4) });
  }
  if (types.includes('number'))
    return fc.double({ min: schema.minimum ?? 0.1, max: schema.maximum ?? 30, noNaN: true });
  if (types.includes('boolean')) return fc.boolean();
  if (types.includes('array')) return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
  if (types.includes('object') && schema.properties !== undefined) return fields(schema);
  if (types.includes('object'))
    return fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  if (schema.format === 'date-time')
    return fc.constantFrom('2026-01-04', '2026-01-06T09:00:00Z', '2030-05-05T00:00:00+02:00');
  if (types.includes('string'))
    return fc.constantFrom('shop', 'blog', 'the first note', 'a_key', 'other', 'note', '日本 ß', '%_');
  return fc.constant(null);
}

/** An object with what is required, some of the rest, and now and then a value that does not fit. */
function fields(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(schema.properties ?? {});
  const member = (name: string): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 12, arbitrary: fitting(schema.properties?.[name] ?? {}) }, { weight: 1, arbitrary: value });
  return fc.record(Object.fromEntries(names.map((name) => [name, member(name)]))).chain((whole) =>
    fc
      .subarray(names)
      .chain((some) => fc.subarray(some))
      .map((some) => {
        const kept = new Set([...some, ...(schema.required ?? [])]);
        return Object.fromEntries(Object.entries(whole).filter(([name]) => kept.has(name)));
      }),
  );
}

const call = fc
  .constantFrom(...contracts)
  .chain(({ name, input }) => fc.record({ name: fc.constant(name), input: fields(inputSchemaOf(input)) }));

it('any input to any operation is answered or refused by name', async () => {
  const answered = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 40 }), async (calls) => {
      const store = await openTestStore();
      for (const content of ['the first note', 'the second note'])
        await store.call('memory_save', { content, project: 'shop', on_duplicate: 'keep' });
      await store.call('memory', { action: 'save', category: 'other', key: 'a_key', value: 'a fact' });
      for (const { name, input } of calls) {
        await store.call(name, input).then(
          () => {
            answered.set(name, (answered.get(name) ?? 0) + 1);
          },
          (error: unknown) => {
            if (!(error instanceof LociError)) throw new Error(`${name} ${JSON.stringify(input)}`, { cause: error });
            expect(error.code, `${name} ${JSON.stringify(input)}: ${error.message}`).not.toBe('internal');
            expect(error.message, name).toMatch(/^.+\S$/su);
            expect(error.message, name).not.toMatch(
              /SQLITE|sqlite|constraint|undefined|\[object|node_modules|\bat \w+ \(/,
            );
          },
        );
      }
      checkKeywordIndex(store.home);
      await store.close();
    }),
    { numRuns: 12, seed: 3 },
  );
  // most operations have been reached, not only refused
  expect(answered.size).toBeGreaterThan(20);
}, 120_000);
