// Models send numbers, booleans and lists as text; query strings and flags always do. This is the ONE place that reads them,
// by the JSON Schema of the contract (rules 3 and 4 of the contract): never by a coercion hidden in a schema, never by rounding.
import type { z } from 'zod';
import { invalidField, LociError } from '#shared/errors.ts';
import { inputSchemaOf } from './input-schema.ts';

type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
};

/** How deep a body may nest before it is refused. */
const maxDepth = 64;

/**
 * Reads raw arguments by a contract's schema: text that is exactly a number or boolean becomes one where the schema asks for it,
 * a lone text becomes a list where a list is asked for, lists lose blanks and duplicates.
 * Throws `invalid_input` for what is no object, for NUL characters and for lone surrogates. `csv` names fields that commas split.
 */
export function readArguments(input: z.ZodObject, raw: unknown, csv: readonly string[] = []): unknown {
  const value = raw === undefined || raw === null ? {} : raw;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new LociError('invalid_input', 'The arguments must be a JSON object of named fields.', {});
  }
  const clean = cleanText(value, '', 0) as Record<string, unknown>;
  const schema = inputSchemaOf(input) as JsonSchema;
  const split = Object.fromEntries(
    Object.entries(clean).map(([field, given]) => [field, csv.includes(field) ? splitCsv(given) : given]),
  );
  return readObject(split, schema);
}

function readObject(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([field, given]) => {
      const known = schema.properties?.[field];
      return [field, known === undefined ? given : readValue(given, known)];
    }),
  );
}

function readValue(given: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (given === null || types.length === 0) return given;
  if (types.includes('array')) return readList(given, itemsOf(schema));
  if (isRecord(given) && types.includes('object')) return readObject(given, objectOf(schema));
  if (typeof given !== 'string' || types.includes('string')) return given;
  if (types.includes('integer') || types.includes('number')) return readNumber(given);
  if (types.includes('boolean')) return given === 'true' ? true : given === 'false' ? false : given;
  if (types.includes('object')) return readJsonObject(given, objectOf(schema));
  return given;
}

function readNumber(given: string): number | string {
  const text = given.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return given;
  const value = Number(text);
  // an integer beyond 2^53 would be rounded to its neighbour: leave it text, so that it is refused
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? given : value;
}

function readList(given: unknown, items: JsonSchema | undefined): unknown {
  const members = typeof given === 'string' ? listFromText(given) : Array.isArray(given) ? given : [given];
  const read = items === undefined ? members : members.map((member) => readValue(member, items));
  return dropRepeats(read);
}

function listFromText(text: string): unknown[] {
  if (text.trim().startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // not JSON: one member that happens to begin with a bracket
    }
  }
  return [text];
}

/** Drops blank texts, and texts that are equal to an earlier one after trimming and case folding; trims the rest. */
function dropRepeats(members: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return members.flatMap((member) => {
    if (isRecord(member) || Array.isArray(member)) return [member];
    const trimmed = typeof member === 'string' ? member.trim() : member;
    const key = typeof trimmed === 'string' ? trimmed.normalize('NFKC').toLowerCase() : trimmed;
    if (key === '' || seen.has(key)) return [];
    seen.add(key);
    return [trimmed];
  });
}

function readJsonObject(given: string, schema: JsonSchema): unknown {
  try {
    const parsed: unknown = JSON.parse(given);
    return isRecord(parsed) ? readObject(parsed, schema) : given;
  } catch {
    return given;
  }
}

function splitCsv(given: unknown): unknown {
  const parts = (Array.isArray(given) ? given : [given]).flatMap((part) =>
    typeof part === 'string' && !part.trim().startsWith('[') ? part.split(',') : [part],
  );
  return parts.length === 1 ? parts[0] : parts;
}

/** Refuses NUL and lone surrogates anywhere, and strips the invisible Tags block (U+E0000–E007F). */
function cleanText(value: unknown, path: string, depth: number): unknown {
  if (depth > maxDepth) throw invalidField(path || 'input', `must not nest deeper than ${maxDepth} levels`);
  if (typeof value === 'string') return cleanString(value, path);
  if (Array.isArray(value))
    return value.map((member, index) => cleanText(member, join(path, String(index)), depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      cleanString(key, path),
      cleanText(member, join(path, key), depth + 1),
    ]),
  );
}

function cleanString(value: string, path: string): string {
  if (value.includes('\u0000')) throw invalidField(path || 'input', 'must not hold the character NUL (U+0000)');
  if (!value.isWellFormed())
    throw invalidField(path || 'input', 'must be well-formed Unicode: it holds half of a character pair');
  return value.replace(/[\u{E0000}-\u{E007F}]/gu, '');
}

function join(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`;
}

function typesOf(schema: JsonSchema): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...(schema.anyOf ?? []).flatMap(typesOf)];
}

function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return schema.items ?? schema.anyOf?.find((option) => option.items !== undefined)?.items;
}

function objectOf(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined
    ? (schema.anyOf?.find((option) => option.properties !== undefined) ?? schema)
    : schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
