import { z } from 'zod';

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();

/** JSON Schema of an operation's input, as agents, the reader of arguments and OpenAPI see it; made once a contract. */
export function inputSchemaOf(schema: z.ZodObject): Record<string, unknown> {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;
  schemas.set(schema, made);
  return made;
}
