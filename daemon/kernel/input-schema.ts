import { z } from 'zod';

/** The part of JSON Schema that contracts use. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
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
  const known = propertyOf(inputSchemaOf(schema), field);
  return known !== undefined && typesOf(known).includes('array');
}

/** The types that a schema allows, those of its alternatives included. */
export function typesOf(schema: JsonSchema): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...alternativesOf(schema).flatMap(typesOf)];
}

/** The schemas of which one must hold; empty where there is no choice. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** The schema of what stands at `path` inside a value of `schema`, or null where the schema says nothing about it. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | null {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const next = typeof step === 'number' ? listOf(schema)?.items : propertyOf(objectOf(schema), String(step));
  return next === undefined ? null : schemaAt(next, rest);
}

/** The alternative that is an object with named fields, else the schema itself. */
export function objectOf(schema: JsonSchema): JsonSchema {
  return [schema, ...alternativesOf(schema)].find((option) => option.properties !== undefined) ?? schema;
}

/** The alternative that is a list with described members, or undefined. */
export function listOf(schema: JsonSchema): JsonSchema | undefined {
  return [schema, ...alternativesOf(schema)].find((option) => option.items !== undefined);
}

/** The schema of one field of an object; undefined for an unknown one. */
export function propertyOf(schema: JsonSchema, field: string): JsonSchema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, field)) return schema.properties[field];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
