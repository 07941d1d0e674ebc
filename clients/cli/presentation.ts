// What `--help` says beside what the contracts say: under which heading a command stands, in which order, and an example of it.
// An operation that is missing here still has a command, a place under `More:` and an example made from its input.
import { pages } from './help-pages.ts';
import { type FieldKind, inputFieldsOf } from './input-fields.ts';
import { positionalsOf, type Verb } from './verb.ts';

export function headingOf(command: string): string {
  return pages[command]?.heading ?? 'More:';
}

/** A line for people, where the title of the operation says too little. */
export function summaryOf(command: string): string | undefined {
  return pages[command]?.summary;
}

/** Where a command stands among its like: the order of the table, then that of the contracts. */
export function rankOf(command: string): number {
  const rank = Object.keys(pages).indexOf(command);
  return rank === -1 ? Number.MAX_SAFE_INTEGER : rank;
}

export function examplesOf(command: string, verb?: Verb): readonly string[] {
  return pages[command]?.examples ?? (verb === undefined ? [] : [madeExample(verb)]);
}

const samples: Readonly<Record<FieldKind, string>> = {
  text: '"some text"',
  choice: 'value',
  number: '42',
  switch: '',
  list: '"some text"',
  json: `'{}'`,
};

/** The shortest line that the command accepts. */
function madeExample(verb: Verb): string {
  const byPosition = positionalsOf(verb).map(({ field }) => field);
  const names = new Set(byPosition.map((field) => field.name));
  const flags = inputFieldsOf(verb.contract)
    .filter((field) => field.isRequired && !names.has(field.name) && !(field.name in (verb.fixed ?? {})))
    .map((field) => `--${field.name.replaceAll('_', '-')} ${samples[field.kind]}`);
  return ['loci', verb.command, ...byPosition.map((field) => samples[field.kind]), ...flags].join(' ');
}
