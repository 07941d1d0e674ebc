// Rules that hold for the input of every operation there is, checked on the real contracts, whose handlers must not be reached.
import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { alternativesOf, inputSchemaOf, type JsonSchema, typesOf } from '#daemon/kernel/input-schema.ts';
import { createInvoke } from '#daemon/kernel/invoke.ts';
import { implement } from '#daemon/kernel/operation.ts';
import { createRegistry } from '#daemon/kernel/registry.ts';
import { contracts } from '#shared/contract/index.ts';
import type { LociError } from '#shared/errors.ts';
import { createMemoryAnswers } from '../../support/http-surface.ts';

const operations = contracts.map((contract) =>
  implement(contract, async () => {
    throw new Error('a handler was reached');
  }),
);
const invoke = createInvoke({ registry: createRegistry(operations), answers: createMemoryAnswers() });

const fields = contracts.flatMap((contract) =>
  Object.entries(inputSchemaOf(contract.input).properties ?? {}).map(
    ([field, schema]) => [contract.name, field, schema] as const,
  ),
);

const fieldsOfType = (...wanted: string[]): typeof fields =>
  fields.filter(([, , schema]) => typesOf(schema).some((type) => wanted.includes(type)));

async function refusal(operation: string, input: unknown): Promise<LociError> {
  return invoke(operation, input, internalContext).then(
    () => {
      throw new Error('it was accepted');
    },
    (error: LociError) => error,
  );
}

/** Numbers that the contract clamps instead of refusing: the confidence of the `memory` tool, as its page says. */
const clamped = new Set(['memory confidence']);

const numbers = fieldsOfType('integer', 'number').filter(([name, field]) => !clamped.has(`${name} ${field}`));

describe('every operation', () => {
  it.each(contracts.map(({ name }) => name))('%s refuses an unknown field by name', async (name) => {
    const error = await refusal(name, { no_such_field: 1 });
    expect(error).toMatchObject({ code: 'invalid_input', details: { no_such_field: 'unknown field `no_such_field`' } });
  });

  it('every number has a lowest and a highest value in the schema that agents see', () => {
    const unbounded = numbers.filter(([, , schema]) => lowest(schema) === undefined || highest(schema) === undefined);
    expect(unbounded.map(([name, field]) => `${name} ${field}`)).toEqual([]);
  });

  it.each(numbers)('%s.%s out of range is refused with its bounds', async (name, field, schema) => {
    for (const value of [
      Number(lowest(schema)) - 1,
      Number(highest(schema)) * 2 + 1,
      -1e300,
      'abc',
      Number.POSITIVE_INFINITY,
      2 ** 53,
    ]) {
      const { code, details } = await refusal(name, { [field]: value });
      expect([value, code]).toEqual([value, 'invalid_input']);
      for (const bound of [lowest(schema), highest(schema)]) expect(details[field]).toContain(String(bound));
    }
  });

  it.each(fieldsOfType('string', 'array'))('%s.%s holds no NUL and no half character', async (name, field) => {
    for (const text of ['a\u0000b', 'a\ud83d']) {
      for (const value of [text, [text]]) {
        const { code, details } = await refusal(name, { [field]: value });
        expect(code).toBe('invalid_input');
        expect(Object.keys(details)[0]).toMatch(new RegExp(`^${field}(\\.0)?$`));
      }
    }
  });

  // a large limit is one of bytes, and a pattern has a sentence of its own: the room that has them holds them by tests of its own
  it.each(
    fieldsOfType('string').filter(
      ([, , schema]) => schema.maxLength !== undefined && Number(schema.maxLength) < 50_000 && !('pattern' in schema),
    ),
  )('%s.%s counts its length in code points', async (name, field, schema) => {
    const { details } = await refusal(name, { [field]: '😀'.repeat(Number(schema.maxLength) + 1), no_such_field: 1 });
    expect(details[field]).toBe(`must have at most ${schema.maxLength} characters`);
    const atLimit = await refusal(name, { [field]: '😀'.repeat(Number(schema.maxLength)), no_such_field: 1 });
    expect(atLimit.details).not.toHaveProperty([field]);
  });

  it('no refusal holds a word of the library that found it', async () => {
    for (const [name, field] of fields) {
      for (const value of [[], {}, 'x', 5, true, [{}], [[]], null]) {
        const error = await refusal(name, { [field]: value, no_such_field: 1 });
        // the names of fields are ours, whatever words they hold
        expect(error.message.replace(/`[^`]*`/g, '')).not.toMatch(
          /invalid|expected|received|too (big|small)|zod|undefined|another kind/i,
        );
      }
    }
  });
});

/** A field that may also be null has its bounds in the alternative that is a number. */
function bounded(schema: JsonSchema): JsonSchema {
  return alternativesOf(schema).find(({ type }) => type !== 'null') ?? schema;
}

function lowest(schema: JsonSchema): number | undefined {
  const { minimum, exclusiveMinimum } = bounded(schema);
  return minimum ?? exclusiveMinimum;
}

function highest(schema: JsonSchema): number | undefined {
  const { maximum, exclusiveMaximum } = bounded(schema);
  return maximum ?? exclusiveMaximum;
}
