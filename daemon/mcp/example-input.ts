// An example that a model can copy must be one that the operation accepts; so it is made from the operation's own schema.
type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
};

/** The smallest arguments that fit an input schema: its required fields, each with a plausible value. */
export function exampleInput(schema: Record<string, unknown>): Record<string, unknown> {
  return exampleObject(schema as JsonSchema);
}

/** A plausible value of one field. */
export function exampleValue(name: string, given: unknown): unknown {
  const schema = given as JsonSchema;
  if (schema.const !== undefined) return schema.const;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.anyOf !== undefined) return exampleValue(name, schema.anyOf.find(({ type }) => type !== 'null') ?? {});
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'string':
      return exampleText(name, schema.format);
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.minItems === 0 ? [] : [exampleValue(name.replace(/s$/, ''), schema.items ?? {})];
    case 'object':
      return exampleObject(schema);
    default:
      return exampleText(name, undefined);
  }
}

function exampleObject(schema: JsonSchema): Record<string, unknown> {
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, exampleValue(name, schema.properties?.[name] ?? {})]));
}

function exampleText(name: string, format: string | undefined): string {
  return format === 'date-time' ? '2026-01-31T09:00:00Z' : `the ${name.replaceAll('_', ' ')}`;
}
