// A contract becomes a command by this one rule, so that an operation declared today is on the command line today.
// Values go to the daemon as the text they were typed as: only the daemon reads text as numbers, lists or objects (rule 3 of the
// contract), so that `--limit 2.5` is refused with the same words here, over HTTP and over MCP.
import { Argument, Command, Option } from 'commander';
import { offerValues } from './completion/offered-values.ts';
import { fieldWords } from './field-words.ts';
import { addGlobalOptions } from './global-options.ts';
import { describeField, type InputField } from './input-fields.ts';
import { readsStdin, runVerb, type Typed } from './run-verb.ts';
import type { Session } from './session.ts';
import { type Flag, flagsOf, type Positional, positionalsOf, type Verb } from './verb.ts';

/** What a command needs of the program it is part of. */
export type CommandDeps = {
  readonly openSession: (command: Command) => Session;
  /** Called when a command ends otherwise than well. */
  readonly setExitCode: (code: number) => void;
};

/** The last word of a verb as a commander command; groups (`project list`) are the program's business. */
export function deriveCommand(verb: Verb, deps: CommandDeps): Command {
  const positionals = positionalsOf(verb);
  const flags = flagsOf(verb);
  const command = new Command(verb.command.split(' ').at(-1)).summary(verb.summary.toLowerCase());
  command.description(verb.description ?? verb.contract.description);
  command.usage(verb.usage ?? usageOf(positionals));
  if (verb.alias !== undefined) command.alias(verb.alias);
  for (const positional of positionals) command.addArgument(argumentOf(positional, verb));
  const options = flags.map((flag) => ({ flag, option: optionOf(flag, verb) }));
  for (const { flag, option } of options) {
    command.addOption(option);
    if (canSayNo(flag.field, verb)) command.addOption(negationOf(flag));
  }
  const clearable = flags.filter(({ field, isHidden }) => !isHidden && field.isNullable).map(({ field }) => field.name);
  if (clearable.length > 0) command.addOption(clearOption(clearable));
  const yes = new Option('--yes', 'do not ask');
  command.addOption(verb.confirm === undefined ? yes.hideHelp() : yes); // a script may say it to whatever it runs
  addGlobalOptions(command);

  command.action(async (...args: unknown[]) => {
    const session = deps.openSession(command);
    const given = command.opts<Record<string, unknown>>();
    const flagValues = options.map(({ flag, option }) => [flag, given[option.attributeName()]] as const);
    const typed: Typed = {
      positionals: positionals.map((positional, index) => [positional, args[index]] as const),
      flags: flagValues.filter(([, value]) => value !== undefined),
      clear: (given.clear as string[] | undefined) ?? [],
      isAgreed: given.yes === true,
    };
    deps.setExitCode(await runVerb(verb, typed, session));
  });
  return command;
}

function usageOf(positionals: readonly Positional[]): string {
  return [...positionals.map(termOf), '[flags]'].join(' ');
}

function termOf({ field, isVariadic }: Positional): string {
  const word = `${field.name.replaceAll('_', '-')}${isVariadic ? '...' : ''}`;
  return field.isRequired ? `<${word}>` : `[${word}]`;
}

function argumentOf(positional: Positional, verb: Verb): Argument {
  const { field } = positional;
  const argument = offerValues(new Argument(termOf(positional)), field.choices);
  return lazily(argument, () => `${wordsOf(field, verb)}${readsStdin(field) ? '; `-` reads stdin' : ''}`);
}

function optionOf(flag: Flag, verb: Verb): Option {
  const { field } = flag;
  const long = flag.short === undefined ? `--${flag.name}` : `-${flag.short}, --${flag.name}`;
  const option = new Option(field.kind === 'switch' ? long : `${long} <${valueName(field)}>`);
  offerValues(option, field.choices);
  if (field.kind === 'list') {
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  }
  if (field.isRequired && !flag.isHidden) option.makeOptionMandatory();
  return lazily(flag.isHidden ? option.hideHelp() : option, () => wordsOf(field, verb));
}

function wordsOf(field: InputField, verb: Verb): string {
  return verb.about?.[field.name] ?? describeField(field, fieldWords[field.name]);
}

/** `--no-pinned` exists only where saying false differs from saying nothing: in an update. */
function canSayNo(field: InputField, { contract }: Verb): boolean {
  const isUpdate = !contract.hints.readOnly && contract.hints.idempotent;
  return isUpdate && field.kind === 'switch' && field.fallback === undefined;
}

function negationOf(flag: Flag): Option {
  const option = new Option(`--no-${flag.name}`, `the opposite of --${flag.name}`);
  return flag.isHidden ? option.hideHelp() : option;
}

function clearOption(names: readonly string[]): Option {
  return new Option('--clear <field>', `empty a field, of ${names.join(', ')}; may be repeated`).argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

function valueName(field: InputField): string {
  const words: Partial<Record<InputField['kind'], string>> = { number: 'n', json: 'json' };
  return words[field.kind] ?? (field.kind === 'choice' ? field.name.replaceAll('_', '-') : 'text');
}

/** Gives an argument or option a description that is made when `--help` reads it. */
function lazily<T extends Argument | Option>(thing: T, describe: () => string): T {
  return Object.defineProperty(thing, 'description', { get: describe, configurable: true, enumerable: true }) as T;
}
