// An example that a model can copy must be one that the operation accepts; so it is made from the operation's own schema.
import { alternativesOf, type JsonSchema } from '#daemon/kernel/input-schema.ts';

/** The smallest arguments that fit an input schema: its required fields, each with a plausible value. */
export function exampleInput(schema: JsonSchema): Record<string, unknown> {
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, exampleValue(name, schema.properties?.[name] ?? {})]));
}

/** A plausible value of one field. */
export function exampleValue(name: string, schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const [alternative] = alternativesOf(schema).filter(({ type }) => type !== 'null');
  if (alternative !== undefined) return exampleValue(name, alternative);
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1);
    case 'boolean':
      return true;
    case 'array':
      return [exampleValue(name.replace(/s$/, ''), schema.items ?? {})];
    case 'object':
      return exampleInput(schema);
    default:
      return schema.format === 'date-time' ? '2026-01-31T09:00:00Z' : `the ${name.replaceAll('_', ' ')}`;
  }
}
