// What the command line needs to know of a contract's input, read from its schema. Walking the schema costs microseconds a field;
// a JSON Schema of it is made for the fields of one command alone, when somebody asks for its help.
import { z } from 'zod';
import type { Contract } from '#shared/contract/operation.ts';

/** `switch` is a boolean, `json` an object; `list` may be given several times. */
export type FieldKind = 'text' | 'choice' | 'number' | 'switch' | 'list' | 'json';

export type InputField = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** What the daemon takes when the field is absent; undefined where it has no default. */
  readonly fallback: unknown;
  /** What a choice can be, or each member of a list of choices; empty for the other kinds. */
  readonly choices: readonly string[];
  readonly schema: z.ZodType;
};

/** The fields of a contract's input, in the order of its declaration. */
export function inputFieldsOf(contract: Contract): InputField[] {
  return Object.entries(contract.input.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { base, isOptional, isNullable, fallback } = peel(schema);
    return {
      name,
      kind: kindOf(base),
      isRequired: !isOptional,
      isNullable,
      fallback,
      choices: choicesOf(base),
      schema,
    };
  });
}

/** One phrase for `--help`: what the field means (`words` where its schema has none), what it takes, what it is when absent. */
export function describeField(field: InputField, words?: string): string {
  const json = jsonSchemaOf(field.schema);
  const about = json.description ?? words ?? '';
  const isPlain = field.kind === 'text' || field.kind === 'list' || field.kind === 'switch';
  const isSaid = about !== '' && (isPlain || isListed(about, json.enum));
  const phrase = [about, isSaid ? '' : takesOf(field.kind, json)].filter((part) => part !== '').join('; ');
  const more = field.kind === 'list' ? '; may be repeated' : '';
  const fallback = field.fallback === undefined || field.kind === 'switch' ? '' : ` (default: ${field.fallback})`;
  return `${phrase}${more}${fallback}`;
}

/** What the field means and takes, apart, for a table. */
export function fieldRow(field: InputField, words?: string): { means: string; takes: string } {
  const json = jsonSchemaOf(field.schema);
  return { means: json.description ?? words ?? '', takes: takesOf(field.kind, json) };
}

function isListed(about: string, choices: readonly unknown[] | undefined): boolean {
  return choices?.every((choice) => about.includes(String(choice))) ?? false;
}

type Peeled = { base: z.ZodType; isOptional: boolean; isNullable: boolean; fallback: unknown };

function peel(schema: z.ZodType): Peeled {
  const peeled: Peeled = { base: schema, isOptional: false, isNullable: false, fallback: undefined };
  for (;;) {
    const { base } = peeled;
    if (base instanceof z.ZodDefault) peeled.fallback = base.def.defaultValue;
    if (base instanceof z.ZodNullable) peeled.isNullable = true;
    else if (base instanceof z.ZodOptional || base instanceof z.ZodDefault) peeled.isOptional = true;
    else return peeled;
    peeled.base = base.unwrap() as z.ZodType;
  }
}

function kindOf(base: z.ZodType): FieldKind {
  if (base instanceof z.ZodBoolean) return 'switch';
  if (base instanceof z.ZodArray) return 'list';
  if (base instanceof z.ZodEnum) return 'choice';
  if (base instanceof z.ZodNumber) return 'number';
  if (base instanceof z.ZodObject || base instanceof z.ZodRecord) return 'json';
  return 'text';
}

function choicesOf(base: z.ZodType): string[] {
  const one = base instanceof z.ZodArray ? base.element : base;
  return one instanceof z.ZodEnum ? one.options.map(String) : [];
}

type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
};

/** The JSON Schema of one field; of a nullable one, that of its value. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const made = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  const value = made.anyOf?.find((option) => option.type !== 'null') ?? {};
  return { ...value, ...made };
}

function takesOf(kind: FieldKind, json: JsonSchema): string {
  if (kind === 'choice') return `one of ${(json.enum ?? []).join(', ')}`;
  if (kind === 'number') return numberRange(json);
  if (kind === 'json') return 'a JSON object';
  if (kind === 'list') return listMember(json.items?.type);
  if (kind === 'switch') return 'yes or no';
  if (json.format === 'date-time') return 'a date or time, such as 2026-11-30T09:00:00Z';
  return json.maxLength === undefined ? 'text' : `text, at most ${json.maxLength.toLocaleString('en')} characters`;
}

function listMember(type: string | undefined): string {
  if (type === 'object') return 'a JSON object';
  return type === 'integer' ? 'an id' : 'text';
}

function numberRange(json: JsonSchema): string {
  const what = json.type === 'integer' ? 'a whole number' : 'a number';
  const most = json.maximum === undefined || json.maximum >= Number.MAX_SAFE_INTEGER ? undefined : json.maximum;
  if (json.exclusiveMinimum !== undefined) {
    return `${what} above ${json.exclusiveMinimum}${most === undefined ? '' : `, at most ${most}`}`;
  }
  if (json.minimum === undefined || json.minimum <= -Number.MAX_SAFE_INTEGER) return what;
  return most === undefined ? `${what} from ${json.minimum}` : `${what}, ${json.minimum} to ${most}`;
}
