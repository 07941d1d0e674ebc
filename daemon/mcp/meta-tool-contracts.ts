// The three meta-tools are no operations of the registry: they are how an agent finds and calls those, so they exist on MCP alone.
import { z } from 'zod';
import { text } from '#shared/contract/common.ts';
import { type OperationHints, readOnlyHints } from '#shared/contract/operation.ts';

export const metaToolNames = ['discover_tools', 'how_to_use_tool', 'execute_tool'] as const;
export type MetaToolName = (typeof metaToolNames)[number];

export type MetaToolContract = {
  readonly name: MetaToolName;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly hints: OperationHints;
};

const toolName = text(200).describe('a name from discover_tools');

export const discoverInput = z.strictObject({
  category: text(100).nullable().optional().describe('only this category; absent: all'),
  detail: z.boolean().nullable().optional().describe('with description and parameters; give a category'),
});

export const howToUseInput = z.strictObject({ tool_name: toolName });

export const executeInput = z.strictObject({
  tool_name: toolName,
  arguments: z.record(z.string(), z.unknown()).optional().describe('the arguments of that tool, as an object'),
});

export const metaTools: Readonly<Record<MetaToolName, MetaToolContract>> = {
  discover_tools: {
    name: 'discover_tools',
    title: 'Discover tools',
    description:
      'List every further tool by category: notes, entities, relationships, projects, documents, code artifacts, plans, tasks, files, skills. Call it when the listed tools do not do what you need.',
    input: discoverInput,
    hints: readOnlyHints,
  },
  how_to_use_tool: {
    name: 'how_to_use_tool',
    title: 'How to use a tool',
    description:
      'Show parameters, an example and the JSON schema of one tool that discover_tools named. Call it before you execute a tool for the first time.',
    input: howToUseInput,
    hints: readOnlyHints,
  },
  execute_tool: {
    name: 'execute_tool',
    title: 'Execute a tool',
    description: 'Run any tool by name with its arguments and answer its result.',
    input: executeInput,
    hints: { readOnly: false, destructive: true, idempotent: false },
  },
};

const olderNames: Readonly<Record<string, MetaToolName>> = {
  discover_forgetful_tools: 'discover_tools',
  how_to_use_forgetful_tool: 'how_to_use_tool',
  execute_forgetful_tool: 'execute_tool',
};

/** The meta-tool that answers to `name`, under either set of names; null when it is none. */
export function metaToolNamed(name: string): MetaToolName | null {
  return (
    metaToolNames.find((known) => known === name) ??
    (Object.hasOwn(olderNames, name) ? (olderNames[name] ?? null) : null)
  );
}
