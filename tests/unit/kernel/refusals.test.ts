import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import { id, instant, labels, metadata, requiredText, share, text } from '#shared/contract/common.ts';
import type { LociError } from '#shared/errors.ts';
import { nearest } from '#shared/nearest.ts';

const schema = z.strictObject({
  content: requiredText(10),
  context: text(5).optional(),
  limit: z.int().min(1).max(50).optional(),
  days: z.number().gt(0).max(36_500).optional(),
  least: z.number().min(2).optional(),
  below: z.number().lt(9).optional(),
  even: z.int().multipleOf(2).optional(),
  share: share.optional(),
  id: id.optional(),
  type: z.enum(['fact', 'decision']).optional(),
  pinned: z.boolean().optional(),
  tags: labels(2, 5).optional(),
  pair: z.array(z.int()).min(2).max(2).optional(),
  some: z
    .array(z.strictObject({ name: z.string() }))
    .min(1)
    .optional(),
  expires_at: instant.optional(),
  link: z.url().optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  short: z.string().min(2).optional(),
  owner: z.string().nullable().optional(),
  criteria: z.array(z.union([z.string(), z.strictObject({ description: z.string() })])).optional(),
  target: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('memory'), id }),
      z.strictObject({ kind: z.literal('entity'), name: z.string() }),
    ])
    .optional(),
  weights: z.record(z.string().max(3), z.number().max(1)).optional(),
  literal: z.literal('yes').optional(),
  metadata: metadata.optional(),
});

const refuse = (input: Record<string, unknown>): LociError => {
  const value = { content: 'x', ...input };
  const result = schema.safeParse(value);
  if (result.success) throw new Error('it was accepted');
  return issuesToError(result.error.issues, schema, value);
};

describe('every kind of refusal is a sentence that names field, bound and example', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ content: undefined }, '`content` is required.'],
    [{ content: null }, '`content` must not be null; it must be a text of 1 to 10 characters.'],
    [{ content: '  \n' }, '`content` must not be blank.'],
    [{ content: '\u200b\u200b' }, '`content` must not be blank.'],
    [{ content: '12345678901' }, '`content` must have at most 10 characters.'],
    [{ content: 5 }, '`content` must be a text of 1 to 10 characters, not 5.'],
    [{ content: ['a'] }, '`content` must be a text of 1 to 10 characters.'],
    [{ context: '123456' }, '`context` must have at most 5 characters.'],
    [{ limit: 0 }, '`limit` must be a whole number from 1 to 50, not 0.'],
    [{ limit: -1 }, '`limit` must be a whole number from 1 to 50, not -1.'],
    [{ limit: 51 }, '`limit` must be a whole number from 1 to 50, not 51.'],
    [{ limit: 2.5 }, '`limit` must be a whole number from 1 to 50, not 2.5.'],
    [{ limit: 1e9 }, '`limit` must be a whole number from 1 to 50, not 1000000000.'],
    [{ limit: 'abc' }, '`limit` must be a whole number from 1 to 50, not "abc".'],
    [{ limit: true }, '`limit` must be a whole number from 1 to 50, not true.'],
    [{ limit: Number.NaN }, '`limit` must be a whole number from 1 to 50, not NaN.'],
    [{ days: 0 }, '`days` must be a number above 0 and at most 36500, not 0.'],
    [{ least: 1 }, '`least` must be a number of at least 2, not 1.'],
    [{ below: 9 }, '`below` must be a number below 9, not 9.'],
    [{ even: 3 }, '`even` must be a multiple of 2.'],
    [{ share: 1.01 }, '`share` must be a number from 0 to 1, not 1.01.'],
    [{ id: 2 ** 53 }, '`id` must be a whole number from 1 to 9007199254740991.'],
    [{ type: 'idea' }, '`type` must be one of "fact", "decision", not "idea".'],
    [{ type: null }, '`type` must not be null; it must be one of "fact", "decision".'],
    [{ pinned: 'yes' }, '`pinned` must be true or false, not "yes".'],
    [{ tags: {} }, '`tags` must be a list of at most 2 texts.'],
    [{ tags: ['a', 5] }, '`tags.1` must be a text of at most 5 characters, not 5.'],
    [{ tags: ['123456'] }, '`tags.0` must have at most 5 characters.'],
    [{ tags: ['a', 'b', 'c'] }, '`tags` must be a list of at most 2 texts.'],
    [{ pair: [1] }, '`pair` must be a list of 2 whole numbers.'],
    [{ some: [] }, '`some` must be a list of at least 1 object.'],
    [{ some: [{}] }, '`some.0.name` is required.'],
    [{ some: ['x'] }, '`some.0` must be an object, not "x".'],
    [{ expires_at: 'soon' }, '`expires_at` must be an ISO 8601 date or time, such as 2026-11-30T09:00:00Z.'],
    [{ expires_at: 5 }, '`expires_at` must be an ISO 8601 date or time, such as 2026-11-30T09:00:00Z, not 5.'],
    [{ link: 'x' }, '`link` must be a URL, such as https://docs.example/page, not "x".'],
    [{ short: 'a' }, '`short` must be a text of at least 2 characters, not "a".'],
    [{ owner: 5 }, '`owner` must be a text or null, not 5.'],
    [{ criteria: [5] }, '`criteria.0` must be a text or an object, not 5.'],
    [{ criteria: [{ description: 5 }] }, '`criteria.0.description` must be a text, not 5.'],
    [{ criteria: [{ descripton: 'a', description: 'b' }] }, 'unknown field `descripton`; did you mean `description`?'],
    [{ target: { kind: 'plan' } }, '`target.kind` must be one of "memory", "entity".'],
    [{ target: 5 }, '`target` must be an object, not 5.'],
    [{ weights: { abcd: 1 } }, '`weights.abcd` is a name that is not allowed here.'],
    [{ weights: { abc: 2 } }, '`weights.abc` must be a number of at most 1, not 2.'],
    [{ literal: 'no' }, '`literal` must be "yes", not "no".'],
  ])('%j → %s', (input, message) => {
    const error = refuse(input);
    expect(error.code).toBe('invalid_input');
    expect(error.message).toBe(message);
  });

  it('no sentence holds a word of zod', () => {
    const messages = [
      refuse({ code: 'X' }),
      refuse({ link: 'x'.repeat(30) }),
      refuse({ weights: 5 }),
      refuse({ target: {} }),
    ].map((error) => error.message);
    for (const message of messages) expect(message).not.toMatch(/invalid|expected|received|too (big|small)|zod/i);
  });

  it('a long or secret text is never repeated in the refusal', () => {
    expect(refuse({ limit: 'a text that is longer than twenty characters' }).message).toBe(
      '`limit` must be a whole number from 1 to 50.',
    );
  });

  it('several problems are named together, and in details each by its field', () => {
    const error = refuse({ limit: 0, pinned: 3, colour: 'red' });
    expect(error.details).toEqual({
      limit: 'must be a whole number from 1 to 50, not 0',
      pinned: 'must be true or false, not 3',
      colour: 'unknown field `colour`',
    });
    expect(error.message).toBe(
      '`limit` must be a whole number from 1 to 50, not 0; `pinned` must be true or false, not 3; unknown field `colour`.',
    );
  });

  it('a batch with a thousand problems gets a short sentence', () => {
    const error = refuse({ some: Array.from({ length: 1_000 }, () => ({})) });
    expect(error.message).toContain('; and 995 more.');
    expect(Object.keys(error.details)).toHaveLength(50);
  });
});

describe('unknown fields', () => {
  it.each([
    ['tag', 'tags'],
    ['contnet', 'content'],
    ['projct', null],
    ['descr', null],
    ['CONTENT', 'content'],
    ['expires', 'expires_at'],
    ['zzz', null],
    ['idx', 'id'],
    ['constructor', null],
  ])('%s → did you mean %s', (field, meant) => {
    const error = refuse({ [field]: 1 });
    const hint = meant === null ? '.' : `; did you mean \`${meant}\`?`;
    expect(error.message).toBe(`unknown field \`${field}\`${hint}`);
    expect(error.details).toHaveProperty([field]);
  });

  it('a suggestion is near for the length of the word', () => {
    expect(nearest('k', ['id', 'to'])).toBeNull();
    expect(nearest('memory_serch', ['memory_save', 'memory_search'])).toBe('memory_search');
    expect(nearest('x'.repeat(65), ['y'.repeat(65)])).toBeNull();
    expect(nearest('descr', ['days', 'description'])).toBe('description');
  });
});

describe('metadata', () => {
  const nested = (levels: number): Record<string, unknown> => {
    let value: Record<string, unknown> = { end: 1 };
    for (let level = 1; level < levels; level += 1) value = { in: value };
    return value;
  };

  it('any JSON object within bounds is taken as it is', () => {
    const value = { ...nested(8), list: [1, 'two', null, { three: 3.5 }], '': false };
    expect(metadata.parse(value)).toEqual(value);
  });

  it.each<[unknown, string]>([
    [nested(9), '`metadata.in` must not nest deeper than 8 levels.'],
    [{ constructor: 1 }, '`metadata.constructor` is a name that no field may have.'],
    [{ a: [{ prototype: 1 }] }, '`metadata.a.0.prototype` is a name that no field may have.'],
    [{ big: 'é'.repeat(9_000) }, '`metadata` must have at most 16384 bytes as JSON.'],
    [{ n: 2 ** 53 }, '`metadata.n` must be a number within ±(2^53−1); send a larger one as text.'],
    [[1], '`metadata` must be an object.'],
    ['x', '`metadata` must be an object, not "x".'],
  ])('%j is refused', (value, message) => {
    expect(refuse({ metadata: value }).message).toBe(message);
  });
});
