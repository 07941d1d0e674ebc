// What `tools/list` answers: inputs alone. An advertised output schema makes clients of the v1 SDK throw on an error that carries
// structured content, and costs tokens; the order is fixed, so that the list is byte-equal across restarts and can be cached.
import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { inputSchemaOf } from '#daemon/kernel/input-schema.ts';
import type { Registry } from '#daemon/kernel/registry.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import type { OperationHints } from '#shared/contract/operation.ts';
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
export function listTools(registry: Registry, profile: Profile, scopes: readonly string[]): Tool[] {
  const names = profile.operations ?? registry.names();
  const operations = names.flatMap((name) => {
    const contract = registry.get(name)?.contract;
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
function listedSchema(schema: Record<string, unknown>, fields?: readonly string[]): Tool['inputSchema'] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  const listed = Object.entries(properties).filter(
    ([name]) => name !== 'idempotency_key' && (fields === undefined || fields.includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(listed.map(([name, property]) => [name, withoutNoise(property) as JSONObject])),
    ...(Array.isArray(schema.required) ? { required: schema.required as string[] } : {}),
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
