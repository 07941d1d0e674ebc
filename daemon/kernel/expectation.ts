// What a field must be, in words, from the JSON Schema that agents see: so the sentence of a refusal and the schema cannot disagree.
import { alternativesOf, type JsonSchema } from './input-schema.ts';

/** "a whole number from 1 to 50", "one of \"fact\", \"task\"", "a list of at most 5 texts": what goes on from "must be". */
export function expectation(schema: JsonSchema): string {
  const choices = alternativesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(expectation))].join(' or ');
  if (typeof schema.type === 'object') {
    return schema.type.map((type) => expectation({ ...schema, type })).join(' or ');
  }
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return stringExpectation(schema);
    case 'array':
      return `a list${count(schema)}`;
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return 'a value of another kind';
  }
}

/** The refused value where it is short enough to help and cannot be a text of anybody's: `, not 51`. */
export function shownValue(value: unknown): string {
  if (typeof value === 'boolean') return `, not ${value}`;
  // beyond 2^53 it is no longer what was sent
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? '' : `, not ${value}`;
  // a number that could not be read exactly came as text on one surface and rounded on another: both get the same words
  const isShown = typeof value === 'string' && value.length <= 20 && !/^\s*[-+.\d]/.test(value);
  return isShown ? `, not ${JSON.stringify(value)}` : '';
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds = [
    minimum === undefined ? null : `of at least ${minimum}`,
    exclusiveMinimum === undefined ? null : `above ${exclusiveMinimum}`,
    maximum === undefined ? null : `${exclusiveMinimum === undefined ? 'of ' : ''}at most ${maximum}`,
    exclusiveMaximum === undefined ? null : `below ${exclusiveMaximum}`,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

function stringExpectation({ format, minLength, maxLength }: JsonSchema): string {
  const known = format === undefined ? undefined : formats[format];
  if (known !== undefined) return known;
  if (minLength !== undefined && maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  if (maxLength !== undefined) return `a text of at most ${maxLength} characters`;
  return minLength === undefined ? 'a text' : `a text of at least ${minLength} characters`;
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 date or time, such as 2026-11-30T09:00:00Z',
  date: 'a date, such as 2026-11-30',
  uri: 'a URL, such as https://docs.example/page',
  email: 'an e-mail address',
  uuid: 'a UUID',
};

function count({ items, minItems, maxItems }: JsonSchema): string {
  const [one, many] = (typeof items?.type === 'string' ? memberNames[items.type] : undefined) ?? ['member', 'members'];
  const counted = (number: number): string => `${number} ${number === 1 ? one : many}`;
  if (minItems !== undefined && maxItems !== undefined) {
    return minItems === maxItems ? ` of ${counted(maxItems)}` : ` of ${minItems} to ${counted(maxItems)}`;
  }
  if (maxItems !== undefined) return ` of at most ${counted(maxItems)}`;
  return minItems === undefined ? ` of ${many}` : ` of at least ${counted(minItems)}`;
}

const memberNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['text', 'texts'],
  integer: ['whole number', 'whole numbers'],
  number: ['number', 'numbers'],
  object: ['object', 'objects'],
};
