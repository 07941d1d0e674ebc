// What a shell can complete, read from the very tree of commands that runs: a command that is declared today is completed today, and the
// three scripts differ in their shell's grammar alone. The scripts hold the words themselves, since asking `loci` at every Tab
// would cost a start of Node each time.
import type { Argument, Command, Option } from 'commander';
import { globalOptionRows } from '../global-options.ts';
import { offeredValues } from './offered-values.ts';

export type Candidate = { readonly word: string; readonly about: string };

export type TreeNode = {
  /** The words after `loci`, joined by a blank; empty for the root. */
  readonly path: string;
  readonly commands: readonly (Candidate & { readonly aliases: readonly string[] })[];
  readonly flags: readonly (Candidate & { readonly values: readonly string[] })[];
  /** The words that an argument may be, by its place; empty where any text may stand. */
  readonly positions: readonly (readonly string[])[];
};

export type CommandTree = {
  readonly nodes: readonly TreeNode[];
  /** Flags that are followed by a value, wherever they stand. */
  readonly valued: readonly string[];
};

export function commandTree(program: Command): CommandTree {
  const nodes = below(program, []);
  const all = commandsBelow(program).flatMap((command) => command.options);
  const takesNone = new Set(all.filter((option) => !takesValue(option)).flatMap(spellings));
  const globals = globalOptionRows.filter(([flags]) => flags.includes('<')).map(([flags]) => flags.split(' ')[0] ?? '');
  const valued = new Set([...globals, ...all.filter(takesValue).flatMap(spellings)]);
  return { nodes, valued: [...valued].filter((flag) => !takesNone.has(flag)).sort() };
}

function commandsBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)];
}

function below(command: Command, words: readonly string[]): TreeNode[] {
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  return [nodeOf(command, words, subcommands), ...subcommands.flatMap((one) => below(one, [...words, one.name()]))];
}

function nodeOf(command: Command, words: readonly string[], subcommands: readonly Command[]): TreeNode {
  return {
    path: words.join(' '),
    commands: subcommands.map((one) => ({
      word: plain(one.name()),
      about: phrase(one.summary() || one.description()),
      aliases: one.aliases().map(plain),
    })),
    flags: [
      ...command.options.filter((option) => !option.hidden).flatMap(flagCandidates),
      ...globalOptionRows.map(([flags, about]) => ({
        word: flags.split(' ')[0] ?? '',
        about: phrase(about),
        values: [],
      })),
      { word: '--help', about: 'show this help', values: [] },
    ],
    positions: positionsOf(command),
  };
}

function positionsOf(command: Command): string[][] {
  const values = command.registeredArguments.map(offered);
  while (values.length > 0 && values.at(-1)?.length === 0) values.pop();
  return values;
}

function flagCandidates(option: Option): TreeNode['flags'] {
  const about = phrase(option.description);
  return spellings(option).map((word) => ({ word, about, values: takesValue(option) ? offered(option) : [] }));
}

function spellings({ long, short }: Option): string[] {
  return [long, short].filter((one) => one !== undefined && one !== null).map(plain);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function offered(thing: Option | Argument): string[] {
  return offeredValues(thing).map(plain);
}

/** A word that stands in a shell's script as it is. A name that could be more than a word is a mistake in the house. */
function plain(word: string): string {
  if (/^[\w./:@+-]+$/.test(word)) return word;
  throw new Error(`a shell would not take this as one word: ${word}`);
}

/** The first clause of a description, short enough to stand beside its word. */
function phrase(text: string): string {
  const clause = (text.split(/[;\n]|\. /)[0] ?? '').replace(/\.$/, '').replace(/\s+/g, ' ').trim();
  return clause.length <= 70 ? clause : `${clause.slice(0, 69)}…`;
}
