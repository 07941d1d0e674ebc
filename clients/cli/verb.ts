import type { Contract } from '#shared/contract/operation.ts';
import { type InputField, inputFieldsOf } from './input-fields.ts';

/** A command over an operation. Most are the contract's own `cli`; a friendly verb fixes some fields and offers only some. */
export type Verb = {
  readonly contract: Contract;
  /** The words after `loci`. */
  readonly command: string;
  readonly summary: string;
  /** A directive to a model, unless the verb has words of its own for people. */
  readonly description?: string;
  readonly alias?: string | undefined;
  readonly positional: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  /** What the question before a destructive command says; its ids or names are added. */
  readonly confirm?: string | undefined;
  /** Fields whose value the command itself gives. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The fields it offers; all when absent. */
  readonly only?: readonly string[];
  /** Fields that this command needs although the operation as a whole does not. */
  readonly requires?: readonly string[];
  /** What its fields mean here, where the schema's words are about more than this verb. */
  readonly about?: Readonly<Record<string, string>>;
  /** Replaces commander's usage line. */
  readonly usage?: string;
  /** The last word on the calls that the arguments make. */
  readonly arrange?: (calls: readonly Record<string, unknown>[]) => readonly Record<string, unknown>[];
};

export type Positional = {
  readonly field: InputField;
  /** Several values: one call each (an id), or one list (a list field). */
  readonly isVariadic: boolean;
};

export type Flag = {
  /** Without dashes. */
  readonly name: string;
  /** `n` for `-n`. */
  readonly short?: string | undefined;
  readonly field: InputField;
  readonly isHidden: boolean;
};

/** The command that a contract declares for itself, or null. */
export function verbOf(contract: Contract): Verb | null {
  const { cli } = contract;
  if (cli === undefined) return null;
  return {
    contract,
    command: cli.command,
    summary: contract.title,
    alias: cli.alias,
    positional: cli.positional ?? [],
    flags: cli.flags ?? {},
    confirm: cli.confirm,
  };
}

/** The arguments of a verb by position. Throws where a contract names a field that it has not: a mistake in the house. */
export function positionalsOf(verb: Verb): Positional[] {
  const fields = fieldsByName(verb);
  return verb.positional.map((spelling) => {
    const name = spelling.replace(/\.\.\.$/, '');
    return { field: fieldNamed(fields, name, verb), isVariadic: spelling.endsWith('...') };
  });
}

/**
 * The flags of a verb: each field that is not taken by position, under the verb's own name for it or the field's.
 * A one-letter name is short for the long one; where the verb has a word of its own, the field's name works too but is not shown.
 */
export function flagsOf(verb: Verb): Flag[] {
  const fields = fieldsByName(verb);
  const taken = new Set(positionalsOf(verb).map(({ field }) => field.name));
  const names = Object.entries(verb.flags);
  for (const [, name] of names) fieldNamed(fields, name, verb);
  return [...fields.values()]
    .filter((field) => !taken.has(field.name) && !(field.name in (verb.fixed ?? {})))
    .flatMap((field) => {
      const own = names.filter(([, name]) => name === field.name).map(([flag]) => flag);
      const words = own.filter((flag) => flag.length > 1);
      const short = own.find((flag) => flag.length === 1);
      const hidden = words.length > 0 && programFlags.has(kebab(field.name)) ? [] : [kebab(field.name)];
      return [...words, ...hidden].map((name, index) => ({
        name,
        short: index === 0 ? short : undefined,
        field,
        isHidden: index > 0,
      }));
    });
}

/** Flags of the program itself; a field of that name has a word of its own. */
const programFlags: ReadonlySet<string> = new Set(['version', 'help']);

function fieldsByName(verb: Verb): Map<string, InputField> {
  const fields = inputFieldsOf(verb.contract).filter((field) => verb.only?.includes(field.name) ?? true);
  return new Map(
    fields.map((field) => [
      field.name,
      verb.requires?.includes(field.name) === true ? { ...field, isRequired: true } : field,
    ]),
  );
}

function fieldNamed(fields: ReadonlyMap<string, InputField>, name: string, verb: Verb): InputField {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`the command ${verb.command} names a field that does not exist: ${name}`);
  return field;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
