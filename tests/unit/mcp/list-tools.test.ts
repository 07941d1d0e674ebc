import { describe, expect, it } from 'vitest';
import { listTools } from '#daemon/mcp/list-tools.ts';
import { metaTools } from '#daemon/mcp/meta-tool-contracts.ts';
import { instructions } from '#daemon/mcp/server.ts';
import { profileNames, profileOf } from '#daemon/mcp/surfaces.ts';
import { contracts } from '#shared/contract/index.ts';

const listed = (profile: string, scopes = ['*']) => listTools(contracts, profileOf(profile), scopes);
const namesOf = (profile: string, scopes = ['*']) => listed(profile, scopes).map(({ name }) => name);

describe('tools/list', () => {
  it('shows by default the five tools of daily work and the three meta-tools, in 8,000 characters', () => {
    expect(namesOf('default')).toEqual([
      'memory',
      'memory_search',
      'memory_save',
      'memory_checkpoint',
      'memory_sync',
      'discover_tools',
      'how_to_use_tool',
      'execute_tool',
    ]);
    expect(JSON.stringify({ tools: listed('default') }).length).toBeLessThanOrEqual(8_000);
  });

  it('shows one tool to facts, three to knowledge, and all operations to all', () => {
    expect(namesOf('facts')).toEqual(['memory']);
    expect(namesOf('knowledge')).toEqual(['discover_tools', 'how_to_use_tool', 'execute_tool']);
    expect(namesOf('all')).toHaveLength(contracts.length + 3);
  });

  it.each(profileNames)(
    'never advertises an output schema, and says of each tool of %s what it does to the store',
    (name) => {
      for (const tool of listed(name)) {
        expect(tool).not.toHaveProperty('outputSchema');
        expect(Object.keys(tool.annotations ?? {})).toEqual([
          'readOnlyHint',
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
        ]);
        expect(tool.inputSchema.type).toBe('object');
        expect(tool.inputSchema.properties).not.toHaveProperty('idempotency_key');
      }
    },
  );

  it('shows the bounds of numbers', () => {
    const search = listed('default').find(({ name }) => name === 'memory_search');
    expect(search?.inputSchema.properties).toMatchObject({ limit: { minimum: 1, maximum: 50 } });
  });

  it('hides what the scopes of the caller do not cover', () => {
    expect(namesOf('default', ['read'])).not.toContain('memory_save');
    expect(namesOf('default', ['read'])).toContain('memory_search');
  });
});

describe('what is told to a model', () => {
  it('says in at most 120 words when to search and when to save', () => {
    expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(instructions).toContain('memory_search');
    expect(instructions).toContain('memory_save');
  });

  it('describes each meta-tool in at most 80 words', () => {
    for (const { description } of Object.values(metaTools)) {
      expect(description.split(/\s+/).length).toBeLessThanOrEqual(80);
    }
  });
});
