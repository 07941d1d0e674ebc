// Clients of the catalogue know some fields under two names (`notes` and `description`, `id` and `entity_id`). Either may be given;
// two that differ are refused, because one of them would be ignored.
import { invalidField, LociError } from '#shared/errors.ts';

type Given<Input, Name extends keyof Input> = Exclude<Input[Name], undefined>;

/** The value given under any of the names; undefined where none is. Throws `invalid_input` for two that differ. */
export function synonymOf<Input extends object, Name extends keyof Input & string>(
  input: Input,
  ...names: readonly Name[]
): Given<Input, Name> | undefined {
  const [first, ...others] = names.filter((name) => input[name] !== undefined);
  if (first === undefined) return undefined;
  const value = input[first] as Given<Input, Name>;
  for (const other of others) {
    if (JSON.stringify(input[other]) !== JSON.stringify(value)) {
      throw invalidField(other, `\`${other}\` and \`${first}\` are one field and differ: give one of them.`);
    }
  }
  return value;
}

/** The same for a field that must be given; its first name is the one in messages. */
export function requiredSynonym<Input extends object, Name extends keyof Input & string>(
  input: Input,
  ...names: readonly [Name, ...Name[]]
): Given<Input, Name> {
  const value = synonymOf(input, ...names);
  if (value !== undefined) return value;
  throw new LociError('invalid_input', `\`${names[0]}\` is required.`, { [names[0]]: 'is required' });
}
