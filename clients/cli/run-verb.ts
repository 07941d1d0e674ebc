// What was typed becomes calls, the calls become output. A command over several ids is several calls: an operation takes one.
import { LociError } from '#shared/errors.ts';
import { confirm } from './confirm.ts';
import { exitCodeOf, exitOk, exitUnreachable } from './exit-codes.ts';
import type { InputField } from './input-fields.ts';
import { escapeLine } from './render/escape.ts';
import { renderOutput } from './render/renderers.ts';
import type { Session } from './session.ts';
import { type Flag, flagsOf, type Positional, type Verb } from './verb.ts';

/** What somebody typed after a command: still text, except switches (true or false) and what may be repeated (lists of text). */
export type Typed = {
  readonly positionals: readonly (readonly [Positional, unknown])[];
  readonly flags: readonly (readonly [Flag, unknown])[];
  /** Fields to empty. */
  readonly clear: readonly string[];
  /** `--yes`. */
  readonly isAgreed: boolean;
};

type Input = Record<string, unknown>;

/** Runs a verb and answers its exit code. Rejects with a `LociError` where the only call, or what was typed, is refused. */
export async function runVerb(verb: Verb, typed: Typed, session: Session): Promise<number> {
  const input: Input = { ...verb.fixed };
  for (const [{ field }, value] of typed.flags) {
    // the verb's own word for a field comes before the field's name, and wins
    if (input[field.name] === undefined) input[field.name] = await readGiven(value, field, session);
  }
  for (const name of typed.clear) clearField(input, name, verb);
  const asked = await callsOf(input, typed.positionals, session);
  const calls = verb.arrange?.(asked) ?? asked;
  if (verb.confirm !== undefined) {
    const what = typed.positionals.flatMap(([, value]) => value).join(', ');
    await confirm(session, `${verb.confirm}: ${what}`, typed.isAgreed);
  }
  return runCalls(verb, calls, session);
}

/** Nullable fields become null, lists become empty; the daemon refuses what cannot be cleared. */
function clearField(input: Input, spelling: string, verb: Verb): void {
  const flag = flagsOf(verb).find(({ name, field }) => name === spelling || field.name === spelling);
  if (flag === undefined) throw new LociError('invalid_input', `There is no field \`${spelling}\` to clear.`);
  const { field } = flag;
  if (input[field.name] !== undefined) {
    throw new LociError('invalid_input', `\`${field.name}\` cannot be both set and cleared.`);
  }
  input[field.name] = field.kind === 'list' ? [] : null;
}

/** One input for each call: `get 1 2 3` is three calls, a list field by position is one. */
async function callsOf(
  flagsGiven: Readonly<Input>,
  positionals: Typed['positionals'],
  session: Session,
): Promise<Input[]> {
  let calls: Input[] = [{ ...flagsGiven }];
  for (const [{ field, isVariadic }, value] of positionals) {
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

/** A value as it goes to the daemon. A list that was given once stays text, so that a JSON array in it is read as one. */
async function readGiven(value: unknown, field: InputField, session: Session): Promise<unknown> {
  if (value === '-' && readsStdin(field)) return session.stdinText();
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** Whether `-` stands for stdin in this field. */
export function readsStdin(field: InputField): boolean {
  return field.kind === 'text' || field.kind === 'json';
}

/** Calls in turn and prints. Of several calls one that fails does not keep the others from their answer; the first failure gives the code. */
async function runCalls(verb: Verb, calls: readonly Input[], session: Session): Promise<number> {
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
      if (!(error instanceof LociError) || calls.length === 1 || exitCodeOf(error) === exitUnreachable) throw error;
      const which = verb.positional.map((field) => escapeLine(String(input[field.replace('...', '')]))).join(' ');
      session.fail(new LociError(error.code, `${which}: ${error.message}`, error.details));
      if (code === exitOk) code = exitCodeOf(error);
    }
  }
  if (calls.length > 1 && session.options.json === true) session.print(outputs, () => ({ result: '' }));
  return code;
}
