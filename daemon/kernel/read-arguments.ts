// Models send numbers, booleans and lists as text; query strings and flags always do. This is the ONE place that reads them,
// by the JSON Schema of the contract (rules 3 and 4 of the contract): never by a coercion hidden in a schema, never by rounding.
import type { z } from 'zod';
import { isBlank } from '#shared/contract/common.ts';
import { LociError } from '#shared/errors.ts';
import { cleanText, type Path } from './clean-text.ts';
import {
  alternativesOf,
  inputSchemaOf,
  type JsonSchema,
  listOf,
  objectOf,
  propertyOf,
  typesOf,
} from './input-schema.ts';
import { isRecord } from './is-record.ts';

export type ReadingRules = {
  /**
   * `null` for an optional field that cannot be null means that it was not sent, as many clients write it.
   * Not so in an update, where it would be taken for a success at clearing: there it is left for the contract to refuse.
   */
  readonly nullIsAbsent: boolean;
};

/**
 * Reads raw arguments by a contract's schema: text that is exactly a number or boolean becomes one where the schema asks for it,
 * a lone text becomes a list where a list is asked for, lists lose blanks and duplicates.
 * Throws `invalid_input` for what is no object, for NUL characters and for lone surrogates.
 */
export function readArguments(input: z.ZodObject, raw: unknown, rules: ReadingRules): Record<string, unknown> {
  const value = raw ?? {};
  if (!isRecord(value)) {
    throw new LociError('invalid_input', 'The arguments must be a JSON object of named fields.', {});
  }
  return readObject(cleanText(value) as Record<string, unknown>, inputSchemaOf(input), { ...rules, path: [] });
}

/** The rules, and where in the arguments the reader is. */
type Place = ReadingRules & { readonly path: Path };

function inside(place: Place, step: string | number): Place {
  return { nullIsAbsent: place.nullIsAbsent, path: [...place.path, step] };
}

function readObject(value: Record<string, unknown>, schema: JsonSchema, place: Place): Record<string, unknown> {
  const read = new Map<string, unknown>();
  for (const [field, given] of Object.entries(value)) {
    const known = propertyOf(schema, field);
    if (known === undefined) {
      read.set(field, given);
      continue;
    }
    const isAbsent = given === null && place.nullIsAbsent && isOptional(schema, field) && !isNullable(known);
    if (!isAbsent) read.set(field, readValue(given, known, inside(place, field)));
  }
  return Object.fromEntries(read);
}

function readValue(given: unknown, schema: JsonSchema, place: Place): unknown {
  const types = typesOf(schema);
  if (given === null || types.length === 0) return given;
  if (types.includes('array')) return readList(given, listOf(schema)?.items, place);
  if (isRecord(given)) return types.includes('object') ? readObject(given, objectOf(schema), place) : given;
  if (typeof given !== 'string' || types.includes('string')) return given;
  if (types.includes('integer') || types.includes('number')) return readNumber(given);
  if (types.includes('boolean')) return given === 'true' ? true : given === 'false' ? false : given;
  if (types.includes('object')) return readObjectText(given, objectOf(schema), place);
  return given;
}

/** The number that a text is, or the text itself where reading it as a double would change its value. */
function readNumber(given: string): number | string {
  const text = given.trim();
  const match = /^-?(0|[1-9]\d*)(?:\.(\d+))?([eE][+-]?\d+)?$/.exec(text);
  if (match === null) return given;
  const value = Number(text);
  if (!Number.isFinite(value)) return given;
  if (!Number.isInteger(value)) return value;
  const [, whole = '', fraction = '', exponent] = match;
  // a whole number must have been whole as written: 4.0000000000000000001 and 9007199254740993 are not what they round to
  const isExact = exponent === undefined ? /^0*$/.test(fraction) : `${whole}${fraction}`.length <= 15;
  return isExact && Number.isSafeInteger(value) && (value !== 0 || !/[1-9]/.test(whole + fraction)) ? value : given;
}

function readList(given: unknown, items: JsonSchema | undefined, place: Place): unknown[] {
  const read = (members: readonly unknown[]): unknown[] =>
    items === undefined ? [...members] : members.map((member, index) => readValue(member, items, inside(place, index)));
  if (typeof given === 'string') return withoutRepeats(listFromText(given, items, read, place.path) ?? read([given]));
  return withoutRepeats(read(Array.isArray(given) ? given : [given]));
}

/** The members of a text that is a JSON array of what the list holds; any other text is one member, `[id].tsx` for instance. */
function listFromText(
  text: string,
  items: JsonSchema | undefined,
  read: (members: readonly unknown[]) => unknown[],
  path: Path,
): unknown[] | null {
  const parsed = parseJson(text, '[');
  if (!Array.isArray(parsed)) return null;
  const members = read(cleanText(parsed, path) as unknown[]);
  return items === undefined || members.every((member) => isOfType(member, items)) ? members : null;
}

function readObjectText(given: string, schema: JsonSchema, place: Place): unknown {
  const parsed = parseJson(given, '{');
  return isRecord(parsed) ? readObject(cleanText(parsed, place.path) as Record<string, unknown>, schema, place) : given;
}

function parseJson(text: string, opening: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOfType(value: unknown, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  if (types.length === 0) return true;
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  if (value === null) return types.includes('null');
  return types.includes(Array.isArray(value) ? 'array' : typeof value);
}

/** Drops blank texts, and texts that equal an earlier one after trimming and case folding; trims the rest. */
function withoutRepeats(members: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return members.flatMap((member) => {
    if (typeof member === 'object' && member !== null) return [member];
    const trimmed = typeof member === 'string' ? member.trim() : member;
    const key = typeof trimmed === 'string' ? trimmed.normalize('NFKC').toLowerCase() : trimmed;
    if (seen.has(key) || (typeof trimmed === 'string' && isBlank(trimmed))) return [];
    seen.add(key);
    return [trimmed];
  });
}

function isOptional(schema: JsonSchema, field: string): boolean {
  return schema.required?.includes(field) !== true;
}

function isNullable(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return (
    types.length === 0 || types.includes('null') || alternativesOf(schema).some((option) => option.type === 'null')
  );
}
