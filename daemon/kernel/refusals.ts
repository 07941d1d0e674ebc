// Turns what zod found into one sentence that says what to change. Zod's own wording never reaches a caller unread:
// it names types where an agent needs a field, a bound and an example.
import { z } from 'zod';
import { type ErrorDetails, LociError } from '#shared/errors.ts';
import { nearest } from '#shared/nearest.ts';

type Issue = z.core.$ZodIssue;

/** One `invalid_input` for all issues: `details` maps each field's path to its problem. */
export function issuesToError(issues: readonly Issue[], schema: z.ZodObject): LociError {
  const details: Record<string, string> = {};
  for (const issue of issues) {
    for (const [field, problem] of describe(issue, schema)) details[field] ??= problem;
  }
  return new LociError('invalid_input', sentence(details), details as ErrorDetails);
}

function sentence(details: Readonly<Record<string, string>>): string {
  return Object.entries(details)
    .map(([field, problem]) => (problem.startsWith('unknown field') ? problem : `\`${field}\`: ${problem}`))
    .join('; ')
    .concat('.');
}

function describe(issue: Issue, schema: z.ZodObject): [string, string][] {
  const field = issue.path.map(String).join('.') || 'input';
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = fieldsAt(schema, issue.path);
      return issue.keys.map((key) => [[...issue.path, key].map(String).join('.'), unknownField(key, known)]);
    }
    case 'invalid_type':
      return [
        [field, issue.input === undefined && missing(issue) ? 'is required' : `must be ${article(issue.expected)}`],
      ];
    case 'invalid_value':
      return [[field, `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`]];
    case 'too_big':
    case 'too_small':
      return [[field, bound(issue)]];
    case 'invalid_union':
      return [[field, 'has none of the allowed shapes']];
    default:
      return [[field, issue.message]];
  }
}

/** Zod leaves `input` out of issues by default, so a missing field is told by its message. */
function missing(issue: Issue): boolean {
  return issue.message.includes('received undefined');
}

function bound(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string {
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  const word = issue.code === 'too_big' ? 'at most' : 'at least';
  const open = issue.inclusive === false;
  if (issue.origin === 'array') return `must have ${word} ${limit} members`;
  if (issue.origin === 'string') return `must have ${word} ${limit} characters`;
  return open ? `must be ${issue.code === 'too_big' ? 'less' : 'more'} than ${limit}` : `must be ${word} ${limit}`;
}

function article(expected: string): string {
  const names: Record<string, string> = {
    int: 'a whole number',
    number: 'a number',
    string: 'a text',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return names[expected] ?? expected;
}

function unknownField(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return `unknown field \`${key}\`${near === null ? '' : `; did you mean \`${near}\`?`}`;
}

/** The fields of the object at `path` of a schema; empty where it is no object. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = schema;
  for (const step of path) {
    at = unwrap(at);
    if (at instanceof z.ZodObject) at = at.shape[String(step)] as z.ZodType | undefined;
    else if (at instanceof z.ZodArray) at = at.element as z.ZodType;
    else return [];
  }
  at = unwrap(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) {
    at = at.unwrap() as z.ZodType;
  }
  return at;
}
