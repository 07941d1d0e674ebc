import { describe, expect, it } from 'vitest';
import { discoverTools, howToUseTool, readExecution } from '#daemon/mcp/meta-tools.ts';
import { contracts } from '#shared/contract/index.ts';
import { memoryGet, memorySave } from '#shared/contract/lifecycle.ts';
import { type Contract, defineContract } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';

const everyone = { contracts, scopes: ['*'] };

const thrown = (act: () => unknown): LociError => {
  try {
    act();
  } catch (error) {
    if (error instanceof LociError) return error;
  }
  throw new Error('nothing was refused');
};

describe('discover_tools', () => {
  it('names every operation but those of the category admin, each with at most four words', () => {
    const { tools_by_category, total_count } = discoverTools(everyone, {}) as {
      tools_by_category: Record<string, Record<string, string>>;
      total_count: number;
    };
    const names = Object.values(tools_by_category).flatMap(Object.keys);
    const expected = contracts.filter(({ category }) => category !== 'admin').map(({ name }) => name);
    expect(names.sort()).toEqual([...expected].sort());
    expect(total_count).toBe(expected.length);
    expect(tools_by_category).not.toHaveProperty('admin');
    for (const words of Object.values(tools_by_category).flatMap(Object.values)) {
      expect((words as string).split(' ').length).toBeLessThanOrEqual(4);
    }
  });

  it('stays within 6,000 characters and drops words, never names, when there are two hundred operations', () => {
    const many = Array.from(
      { length: 200 },
      (_, index): Contract =>
        defineContract({ ...memoryGet, name: `a_rather_long_name_${index}`, title: 'Four words of title' }),
    );
    const text = JSON.stringify(discoverTools({ contracts: many, scopes: ['*'] }, undefined));
    expect(text.length).toBeLessThanOrEqual(6_000);
    for (const { name } of many) expect(text).toContain(`"${name}"`);
  });

  it('shows admin operations when their category is asked for', () => {
    expect(discoverTools(everyone, { category: 'ADMIN' })).toMatchObject({ filtered_by: 'admin' });
    expect(JSON.stringify(discoverTools(everyone, { category: 'admin' }))).toContain('list_jobs');
  });

  it('gives whole entries with detail, here sent as text', () => {
    const { tools_by_category } = discoverTools(everyone, { category: 'project', detail: 'true' }) as {
      tools_by_category: { project: Record<string, unknown>[] };
    };
    expect(Object.keys(tools_by_category.project[0] ?? {})).toEqual([
      'name',
      'category',
      'description',
      'mutates',
      'parameters',
      'returns',
      'example',
    ]);
  });

  it('refuses a category that does not exist and names those that do; the old empty one answers nothing', () => {
    expect(thrown(() => discoverTools(everyone, { category: 'bogus' }))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^Invalid category 'bogus'\. Available categories: fact, lifecycle/),
    });
    expect(discoverTools(everyone, { category: 'linking' })).toMatchObject({ total_count: 0 });
  });

  it('hides what the scopes of the caller do not cover', () => {
    const text = JSON.stringify(discoverTools({ contracts, scopes: ['read'] }, {}));
    expect(text).toContain('memory_search');
    expect(text).not.toContain('memory_save');
  });
});

describe('how_to_use_tool', () => {
  it.each(contracts.map((contract) => [contract.name, contract] as const))(
    'gives an example of %s that the operation accepts',
    (name, contract) => {
      const { examples } = howToUseTool(everyone, { tool_name: name }) as {
        examples: { tool_name: string; arguments: unknown }[];
      };
      for (const example of examples) expect(contract.input.safeParse(example.arguments).error).toBeUndefined();
    },
  );

  it('shows every field of an operation, also those that tools/list leaves out', () => {
    const { parameters, json_schema } = howToUseTool(everyone, { tool_name: 'memory_save' }) as {
      parameters: { name: string; required: boolean }[];
      json_schema: { properties: object };
    };
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(memorySave.input.shape));
    expect(Object.keys(json_schema.properties)).toEqual(Object.keys(memorySave.input.shape));
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['content']);
  });

  it('tells an unknown tool from one that the scopes do not cover', () => {
    expect(thrown(() => howToUseTool(everyone, { tool_name: 'nope' }))).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining("Tool 'nope' not found in registry. Available tools (first 10): memory,"),
    });
    expect(thrown(() => howToUseTool({ contracts, scopes: ['read'] }, { tool_name: 'memory_save' }))).toMatchObject({
      code: 'forbidden',
      message: "Tool 'memory_save' is not permitted under current scopes. Required scope: 'write:memories'.",
    });
  });
});

describe('execute_tool', () => {
  it.each([
    ['absent', undefined, {}],
    ['null', null, {}],
    ['a text of JSON', '{"id": 3}', { id: 3 }],
    ['an object', { id: 3 }, { id: 3 }],
  ])('reads arguments that are %s', (_how, given, expected) => {
    expect(readExecution({ tool_name: ' memory_get ', arguments: given })).toEqual({
      tool: 'memory_get',
      arguments: expected,
    });
  });

  it('refuses arguments that are no object, and unknown fields by name', () => {
    expect(thrown(() => readExecution({ tool_name: 'x', arguments: 'y' })).details).toHaveProperty('arguments');
    expect(thrown(() => readExecution({ tool: 'x' })).message).toContain('did you mean `tool_name`');
  });
});
