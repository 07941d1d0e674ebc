import { z } from 'zod';

/** The part of JSON Schema that contracts use. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly default?: unknown;
  readonly description?: string;
};

const schemas = new WeakMap<z.ZodObject, JsonSchema>();

/** JSON Schema of an operation's input, as agents, the reader of arguments and OpenAPI see it; made once a contract. */
export function inputSchemaOf(schema: z.ZodObject): JsonSchema {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' });
  schemas.set(schema, made as JsonSchema);
  return made as JsonSchema;
}

/** Whether a field of the input is a list, so that it may be given several times. */
export function takesList(schema: z.ZodObject, field: string): boolean {
  const { properties } = inputSchemaOf(schema);
  if (properties === undefined || !Object.hasOwn(properties, field)) return false;
  return typesOf(properties[field] as JsonSchema).includes('array');
}

/** The types that a schema allows, those of its alternatives included. */
export function typesOf(schema: JsonSchema): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...(schema.anyOf ?? []).flatMap(typesOf)] as string[];
}
