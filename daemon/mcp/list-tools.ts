// What `tools/list` answers: inputs alone. An advertised output schema makes clients of the v1 SDK throw on an error that carries
// structured content, and costs tokens; the order is fixed, so that the list is byte-equal across restarts and can be cached.
import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from '#daemon/kernel/input-schema.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import type { Contract, OperationHints } from '#shared/contract/operation.ts';
import { metaTools } from './meta-tool-contracts.ts';
import type { Profile } from './surfaces.ts';

type Listed = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly hints: OperationHints;
};

/** The tools of a profile that a caller with these scopes may use. */
export function listTools(contracts: readonly Contract[], profile: Profile, scopes: readonly string[]): Tool[] {
  const names = profile.operations ?? contracts.map(({ name }) => name);
  const operations = names.flatMap((name) => {
    const contract = contracts.find((known) => known.name === name);
    return contract !== undefined && isAllowed(scopes, contract.scope) ? [contract] : [];
  });
  return [
    ...operations.map((contract) => toTool(contract, profile.listedFields[contract.name])),
    ...profile.metaTools.map((name) => toTool(metaTools[name])),
  ];
}

function toTool({ name, title, description, input, hints }: Listed, fields?: readonly string[]): Tool {
  return {
    name,
    title,
    description,
    inputSchema: listedSchema(inputSchemaOf(input), fields),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
  };
}

/** The schema without what tells a model nothing: the key of repeats, which MCP sets itself, and the bound of every integer. */
function listedSchema(schema: JsonSchema, fields?: readonly string[]): Tool['inputSchema'] {
  const listed = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'idempotency_key' && (fields === undefined || fields.includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(listed.map(([name, property]) => [name, withoutNoise(property) as JSONObject])),
    ...(schema.required === undefined ? {} : { required: [...schema.required] }),
  };
}

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !(name === 'maximum' && member === Number.MAX_SAFE_INTEGER) &&
      name !== 'propertyNames' &&
      !(name === 'additionalProperties' && typeof member === 'object'),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNoise(member)]));
}
