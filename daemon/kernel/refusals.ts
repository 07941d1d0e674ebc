// Turns what zod found into one sentence that says what to change. Zod's own wording never reaches a caller:
// it names types where an agent needs a field, a bound and an example, which the JSON Schema of the contract has (expectation.ts).
import type { z } from 'zod';
import { type ErrorDetails, LociError } from '#shared/errors.ts';
import { nearest } from '#shared/nearest.ts';
import { expectation, shownValue } from './expectation.ts';
import { inputSchemaOf, type JsonSchema, objectOf, schemaAt } from './input-schema.ts';
import { isRecord } from './is-record.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Where an issue stands: the schema that was parsed by and the value that did not fit. */
type Parsed = { readonly schema: JsonSchema; readonly value: unknown };

/** A sentence names at most this many problems, `details` this many fields: a batch of a thousand may be wrong in each. */
const maxNamed = 5;
const maxDetails = 50;

/** One `invalid_input` for all issues: `details` maps each field's path to its problem. `value` is what was parsed. */
export function issuesToError(issues: readonly Issue[], schema: z.ZodObject, value: unknown): LociError {
  const problems = new Map<string, string>();
  const parsed = { schema: inputSchemaOf(schema), value };
  for (const issue of issues) {
    for (const [path, problem] of describe(issue, [], parsed)) {
      const field = pathToField(path);
      if (!problems.has(field)) problems.set(field, problem);
    }
  }
  const details = Object.fromEntries([...problems].slice(0, maxDetails));
  return new LociError('invalid_input', sentence(problems), details as ErrorDetails);
}

/** The `invalid_input` that refuses one field: `problem` goes on from the field's name, "must not be blank". */
export function refusedField(path: Path, problem: string): LociError {
  const field = pathToField(path);
  return new LociError('invalid_input', sentence(new Map([[field, problem]])), { [field]: problem });
}

function pathToField(path: Path): string {
  return path.map(String).join('.') || 'input';
}

function sentence(problems: ReadonlyMap<string, string>): string {
  const parts = [...problems].map(([field, problem]) =>
    problem.startsWith('unknown field') ? problem : `\`${field}\` ${problem}`,
  );
  const named = parts.slice(0, maxNamed).join('; ');
  if (parts.length > maxNamed) return `${named}; and ${parts.length - maxNamed} more.`;
  return /[?.]$/.test(named) ? named : `${named}.`;
}

function describe(issue: Issue, base: Path, parsed: Parsed): [Path, string][] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const at = schemaAt(parsed.schema, path);
      const known = at === null ? [] : Object.keys(objectOf(at).properties ?? {});
      return issue.keys.map((key) => [[...path, key], unknownField(key, known)]);
    }
    case 'custom':
      return [[path, issue.message]];
    case 'not_multiple_of':
      return [[path, `must be a multiple of ${issue.divisor}`]];
    case 'invalid_key':
      return [[path, 'is a name that is not allowed here']];
    case 'invalid_union':
      return describeUnion(issue, path, parsed);
    default:
      return [[path, mismatch(path, parsed)]];
  }
}

/** The problems of the alternative whose shape was meant: the one that got past the type of the value itself. */
function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>, path: Path, parsed: Parsed): [Path, string][] {
  const meant = issue.errors.find((errors) =>
    errors.every((error) => error.path.length > 0 || error.code === 'custom'),
  );
  const inside = (meant ?? []).flatMap((error) => describe(error, path, parsed));
  if (inside.length > 0) return inside;
  if ('options' in issue && issue.options !== undefined && issue.options.length > 0) {
    return [[path, `must be one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}`]];
  }
  return [[path, mismatch(path, parsed)]];
}

function mismatch(path: Path, parsed: Parsed): string {
  const given = valueAt(parsed.value, path);
  if (given === undefined) return 'is required';
  const schema = schemaAt(parsed.schema, path);
  const expected = schema === null ? 'fit the description of this operation' : `be ${expectation(schema)}`;
  if (given === null) return `must not be null; it must ${expected}`;
  return `must ${expected}${shownValue(given)}`;
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isRecord(at) && Object.hasOwn(at, String(step))) at = at[String(step)];
    else return undefined;
  }
  return at;
}

function unknownField(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return `unknown field \`${key}\`${near === null ? '' : `; did you mean \`${near}\`?`}`;
}
