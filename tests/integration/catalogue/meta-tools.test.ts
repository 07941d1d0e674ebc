// The three tools through which a model reaches everything else, as it calls them over MCP.
import { describe, expect, it } from 'vitest';
import { noEncodingAgent } from '#daemon/kernel/context.ts';
import { contracts } from '#shared/contract/index.ts';
import { connectRaw } from '../../support/mcp-client.ts';
import { serveMcp } from '../../support/serve-mcp.ts';
import { callTool, initialize, initialized } from '../../support/shim.ts';
import { connectToolClient, type ToolClient } from '../../support/tool-client.ts';

type Discovery = {
  tools_by_category: Record<string, Record<string, string>>;
  total_count: number;
  categories_available: string[];
  filtered_by: string | null;
};

const discover = async ({ call }: ToolClient, input: object = {}, name = 'discover_tools'): Promise<Discovery> =>
  (await call(name, input)).json as Discovery;

const namesIn = ({ tools_by_category }: Discovery): string[] => Object.values(tools_by_category).flatMap(Object.keys);

describe('the meta-tools', () => {
  it('K1 discover all: names by category, counted, in at most 6,000 characters with everything on, under both names', async () => {
    const client = await connectToolClient();
    const all = await discover(client);
    expect(JSON.stringify(all).length).toBeLessThanOrEqual(6_000);
    expect(all.total_count).toBe(namesIn(all).length);
    expect(all.total_count).toBe(contracts.filter(({ category }) => category !== 'admin').length);
    expect(Object.keys(all.tools_by_category).sort()).toEqual([...all.categories_available].sort());
    expect(all.filtered_by).toBeNull();
    expect(await discover(client, {}, 'discover_forgetful_tools')).toEqual(all);
  });

  it('K2 discover one category, in any case; K3 a category that is none is refused and those that are are named', async () => {
    const client = await connectToolClient();
    const plans = await discover(client, { category: ' Plan ' });
    expect(plans).toMatchObject({
      filtered_by: 'plan',
      tools_by_category: { plan: { create_plan: expect.any(String) } },
    });
    expect(Object.keys(plans.tools_by_category)).toEqual(['plan']);
    const { isError, json } = await client.call('discover_tools', { category: 'bogus' });
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^Invalid category 'bogus'\. Available categories: .*memory/),
    });
  });

  it('K4 how_to returns the schema with every field; K5 of an unknown tool it is not found, with names that are', async () => {
    const { call } = await connectToolClient();
    const { json } = await call('how_to_use_tool', { tool_name: 'create_entity' });
    expect(json).toMatchObject({
      name: 'create_entity',
      category: 'entity',
      mutates: true,
      json_schema: {
        type: 'object',
        required: expect.arrayContaining(['name', 'entity_type']),
        properties: { aka: {} },
      },
    });
    expect((json.parameters as { name: string }[]).map(({ name }) => name)).not.toContain('ctx');
    expect(await call('how_to_use_forgetful_tool', { tool_name: 'create_entity' })).toEqual({ isError: false, json });
    expect(await call('how_to_use_tool', { tool_name: 'nope' })).toMatchObject({
      isError: true,
      json: { code: 'not_found', message: expect.stringContaining('Available tools (first 10)') },
    });
  });

  it('K6 execute runs a tool of the user; K7 what was created is found; K8 an unknown tool is not found', async () => {
    const { call, execute } = await connectToolClient();
    expect(await execute('get_current_user')).toMatchObject({ user_id: 1, notes: null });
    expect(await execute('update_user_notes', { user_notes: 'reviews before lunch' })).toMatchObject({
      notes: 'reviews before lunch',
    });
    const { id } = await execute('create_memory', {
      title: 'Cranes',
      content: 'The cranes are greased on Mondays.',
      context: 'harbour',
      keywords: ['cranes'],
      tags: ['upkeep'],
      importance: 6,
    });
    const found = await execute<{ primary_memories: object[] }>('query_memory', {
      query: 'cranes',
      query_context: 'x',
    });
    expect(found.primary_memories).toMatchObject([{ id }]);
    expect(await call('execute_tool', { tool_name: 'nope', arguments: {} })).toMatchObject({
      isError: true,
      json: { code: 'not_found' },
    });
  });

  it('K9 the caller is carried through execute: user, scopes, session, agent and encoding', async () => {
    const caller = { userId: 7, scopes: ['*'] };
    const { path, contexts } = await serveMcp({ callerOf: async () => caller });
    const client = await connectRaw(path);
    const env = { AGENT_MODEL: 'a model' };
    client.send({ loci: 1, session: 'session-9', token: 'secret', cwd: '/srv/shop', resume: false, env });
    client.send(initialize(1));
    client.send(initialized);
    client.send(callTool(2, 'execute_tool', { tool_name: 'memory_search', arguments: { query: 'x' } }));
    await client.answer(2);
    expect(contexts).toMatchObject([
      { ...caller, session: 'session-9', folder: '/srv/shop', encoding: { ...noEncodingAgent, agentModel: 'a model' } },
    ]);
  });

  it('K10 from discover over how_to to execute: an example that is shown runs as it is', async () => {
    const client = await connectToolClient();
    const names = namesIn(await discover(client, { category: 'project' }));
    expect(names).toContain('create_project');
    const { json } = await client.call('how_to_use_tool', { tool_name: 'create_project' });
    const [example] = json.examples as { tool_name: string; arguments: object }[];
    expect(await client.call('execute_tool', example)).toMatchObject({
      isError: false,
      json: { id: 1, project_id: 1, name: 'Storefront' },
    });
  });

  it('K11 each tool says whether it mutates', async () => {
    const client = await connectToolClient();
    const { tools_by_category } = await discover(client, { category: 'memory', detail: true });
    const entries = tools_by_category.memory as unknown as { name: string; mutates: boolean }[];
    const mutates = Object.fromEntries(entries.map((entry) => [entry.name, entry.mutates]));
    expect(mutates).toMatchObject({ create_memory: true, link_memories: true, query_memory: false, get_memory: false });
    for (const { name, hints } of contracts.filter(({ category }) => category === 'memory')) {
      expect(mutates[name], name).toBe(!hints.readOnly);
    }
  });

  it('K12 a category that is turned off has no tool to discover, explain or execute; K14 one that is on has', async () => {
    const tools = ['create_skill', 'create_file', 'create_plan', 'create_task', 'list_activity'];
    const on = await connectToolClient();
    expect(namesIn(await discover(on))).toEqual(expect.arrayContaining(tools));
    const off = await connectToolClient({
      LOCI_CATEGORIES_SKILLS: 'false',
      LOCI_CATEGORIES_FILES: 'false',
      LOCI_CATEGORIES_PLANS: 'false',
      LOCI_CATEGORIES_ACTIVITY: 'false',
    });
    const all = await discover(off);
    for (const name of tools) {
      expect(namesIn(all)).not.toContain(name);
      for (const tool of ['how_to_use_tool', 'execute_tool']) {
        const input = tool === 'execute_tool' ? { tool_name: name, arguments: {} } : { tool_name: name };
        expect(await off.call(tool, input), `${tool} ${name}`).toMatchObject({
          isError: true,
          json: { code: 'not_found' },
        });
      }
    }
    expect(all.categories_available).not.toContain('skill');
    expect(await off.call('discover_tools', { category: 'skill' })).toMatchObject({ isError: true });
  });

  it('K13 discovery is compact unless detail is asked for, which gives description, parameters and an example', async () => {
    const client = await connectToolClient();
    const compact = await discover(client, { category: 'entity' });
    for (const words of Object.values(compact.tools_by_category.entity ?? {})) {
      expect(words.split(' ').length).toBeLessThanOrEqual(4);
    }
    const verbose = await discover(client, { category: 'entity', detail: true });
    expect(JSON.stringify(verbose).length).toBeGreaterThan(5 * JSON.stringify(compact).length);
    const [entry] = verbose.tools_by_category.entity as unknown as Record<string, unknown>[];
    expect(entry).toMatchObject({
      name: 'create_entity',
      description: expect.any(String),
      parameters: { name: { type: 'string', required: true, description: expect.any(String) } },
      returns: expect.any(String),
      example: { tool_name: 'create_entity' },
    });
  });
});
