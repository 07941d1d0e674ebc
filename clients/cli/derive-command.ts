// A contract becomes a command by this one rule, so that an operation declared today is on the command line today.
// Values go to the daemon as the text they were typed as: only the daemon reads text as numbers, lists or objects (rule 3 of the
// contract), so that `--limit 2.5` is refused with the same words here, over HTTP and over MCP.
import { Argument, Command, Option } from 'commander';
import { LociError } from '#shared/errors.ts';
import { confirm } from './confirm.ts';
import { exitCodeOf, exitOk } from './exit-codes.ts';
import { addGlobalOptions } from './global-options.ts';
import { describeField, type InputField } from './input-fields.ts';
import { fieldWords } from './presentation.ts';
import { escapeLine } from './render/escape.ts';
import { renderOutput } from './render/renderers.ts';
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
  if (verb.confirm !== undefined) command.addOption(new Option('--yes', 'do not ask'));
  addGlobalOptions(command);

  command.action(async (...args: unknown[]) => {
    const session = deps.openSession(command);
    const values = args.slice(0, positionals.length);
    const given = command.opts<Record<string, unknown>>();
    const input: Record<string, unknown> = { ...verb.fixed };
    for (const { flag, option } of options) {
      const value = given[option.attributeName()];
      if (value !== undefined && input[flag.field.name] === undefined) {
        input[flag.field.name] = await readGiven(value, flag.field, session);
      }
    }
    for (const name of (given.clear as string[] | undefined) ?? []) clearField(input, name, flags);
    const asked = await callsOf(input, positionals, values, session);
    const calls = verb.arrange?.(asked) ?? asked;
    if (verb.confirm !== undefined) {
      await confirm(session, `${verb.confirm}: ${values.flat().join(', ')}`, given.yes === true);
    }
    deps.setExitCode(await runCalls(verb, calls, session));
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
  const argument = new Argument(termOf(positional));
  return lazily(argument, () => `${wordsOf(field, verb)}${readsStdin(field) ? '; `-` reads stdin' : ''}`);
}

function optionOf(flag: Flag, verb: Verb): Option {
  const { field } = flag;
  const long = flag.short === undefined ? `--${flag.name}` : `-${flag.short}, --${flag.name}`;
  const option = new Option(field.kind === 'switch' ? long : `${long} <${placeholder(field)}>`);
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

/** Nullable fields become null, lists become empty; the daemon refuses what cannot be cleared. */
function clearField(input: Record<string, unknown>, spelling: string, flags: readonly Flag[]): void {
  const flag = flags.find(({ name, field }) => name === spelling || field.name === spelling);
  if (flag === undefined) throw new LociError('invalid_input', `There is no field \`${spelling}\` to clear.`);
  const { field } = flag;
  if (input[field.name] !== undefined) {
    throw new LociError('invalid_input', `\`${field.name}\` cannot be both set and cleared.`);
  }
  input[field.name] = field.kind === 'list' ? [] : null;
}

function placeholder(field: InputField): string {
  const words: Partial<Record<InputField['kind'], string>> = { number: 'n', json: 'json' };
  return words[field.kind] ?? (field.kind === 'choice' ? field.name.replaceAll('_', '-') : 'text');
}

function readsStdin(field: InputField): boolean {
  return field.kind === 'text' || field.kind === 'json';
}

/** A value as it goes to the daemon. A list that was given once stays text, so that a JSON array in it is read as one. */
async function readGiven(value: unknown, field: InputField, session: Session): Promise<unknown> {
  if (value === '-' && readsStdin(field)) return session.stdinText();
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** One input for each call: `get 1 2 3` is three calls, a list field by position is one. */
async function callsOf(
  flagsGiven: Readonly<Record<string, unknown>>,
  positionals: readonly Positional[],
  values: readonly unknown[],
  session: Session,
): Promise<Record<string, unknown>[]> {
  let calls: Record<string, unknown>[] = [{ ...flagsGiven }];
  for (const [index, { field, isVariadic }] of positionals.entries()) {
    const value = values[index];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const isSpread = isVariadic && field.kind !== 'list' && Array.isArray(value);
    const each = isSpread ? value : [await readGiven(value, field, session)];
    calls = calls.flatMap((call) => each.map((one) => ({ ...call, [field.name]: one })));
  }
  if (calls.length < 2) return calls;
  // a key stands for one body: under one key the second call would be refused
  return calls.map((call, index) =>
    typeof call.idempotency_key === 'string' ? { ...call, idempotency_key: `${call.idempotency_key}#${index}` } : call,
  );
}

/** Calls in turn and prints. Of several calls one that fails does not keep the others from their answer; the first failure gives the code. */
async function runCalls(verb: Verb, calls: readonly Record<string, unknown>[], session: Session): Promise<number> {
  const connection = await session.connection();
  const { name } = verb.contract;
  const outputs: unknown[] = [];
  let code = exitOk;
  for (const input of calls) {
    try {
      const output = await connection.call(name, input);
      outputs.push(output);
      if (calls.length === 1 || session.options.json !== true) {
        if (outputs.length > 1 && verb.contract.hints.readOnly) session.io.stdout.write('\n');
        session.print(output, () => renderOutput(name, output, session.view(input)));
      }
    } catch (error) {
      if (!(error instanceof LociError) || calls.length === 1) throw error;
      const which = verb.positional.map((field) => escapeLine(String(input[field.replace('...', '')]))).join(' ');
      session.fail(new LociError(error.code, `${which}: ${error.message}`, error.details));
      if (code === exitOk) code = exitCodeOf(error);
    }
  }
  if (calls.length > 1 && session.options.json === true) session.print(outputs, () => ({ result: '' }));
  return code;
}

/** Gives an argument or option a description that is made when `--help` reads it. */
function lazily<T extends Argument | Option>(thing: T, describe: () => string): T {
  return Object.defineProperty(thing, 'description', { get: describe, configurable: true, enumerable: true }) as T;
}
