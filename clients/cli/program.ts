// The command tree: every contract with a command, the friendly verbs over the `memory` operation, and the commands that are not
// an operation (the daemon's process, settings, discovery). Only what works stands here, because `--help` is a promise.
import { Command } from 'commander';
import { contracts } from '#shared/contract/index.ts';
import { version } from '#shared/version.ts';
import { addCallCommand } from './commands/call.ts';
import { addConfigCommand } from './commands/config.ts';
import { addFactCommands } from './commands/fact.ts';
import { addPromptCommand } from './commands/prompt.ts';
import { addTokenCommand } from './commands/token.ts';
import { addToolsCommands } from './commands/tools.ts';
import type { CommandDeps } from './derive-command.ts';
import { deriveCommand } from './derive-command.ts';
import { addGlobalOptions, globalHeading } from './global-options.ts';
import { examplesOf, headingOf, headings, rankOf } from './presentation.ts';
import { escapeBlock } from './render/escape.ts';
import { type Verb, verbOf } from './verb.ts';

/** Where the program writes what commander says by itself: help to stdout, usage errors to stderr. */
export type ProgramOutput = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: number;
};

export type ProgramDeps = CommandDeps & { readonly output: ProgramOutput };

/** Places a command below its group. */
export type Mount = (path: string, command: Command, verb?: Verb) => void;

const groups: Readonly<Record<string, string>> = {
  fact: 'facts by category and key, one each',
  project: 'projects: list them, mend split names',
  jobs: 'background jobs',
  token: 'access over TCP',
  tools: 'the operations: list and explain them',
};

export function buildProgram(deps: ProgramDeps): Command {
  const program = rootCommand(deps.output);
  const mount: Mount = (path, command, verb) => place(program, path, command, verb);

  addFactCommands(mount, deps);
  for (const contract of contracts) {
    const verb = verbOf(contract);
    if (verb !== null && verb.command !== 'fact') mount(verb.command, deriveCommand(verb, deps), verb);
  }
  addPromptCommand(mount, deps);
  addToolsCommands(mount, deps);
  addCallCommand(mount, deps);
  addConfigCommand(mount, deps);
  addTokenCommand(mount, deps);

  return inOrder(program);
}

function rootCommand(output: ProgramOutput): Command {
  const program = new Command('loci')
    .description('One local, offline, long-term memory for all your coding agents.')
    .usage('<command> [flags]')
    .exitOverride()
    .enablePositionalOptions()
    .optionsGroup(globalHeading)
    .configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      outputError: (text, write) => write(escapeBlock(text)),
      getOutHelpWidth: () => output.columns,
      getErrHelpWidth: () => output.columns,
    })
    .addHelpText('after', rootNotes);
  addGlobalOptions(program).version(version, '--version', 'print the version');
  return program;
}

const rootNotes = `
A text of \`-\` is read from stdin. \`--\` ends the flags: what follows is text, even if it begins with a dash.
Exit codes: 0 done, 2 bad input, 3 not found, 4 conflict, 5 no daemon, 130 interrupted, 1 anything else.
\`loci help <command>\` explains a command and shows examples.`;

/** Adds a command under its words, making the group when it is the first of it, with its heading, examples and notes. */
function place(program: Command, path: string, command: Command, verb?: Verb): void {
  const words = path.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  command.copyInheritedSettings(parent).helpGroup(words.length === 1 ? headingOf(path) : 'Commands:');
  addExamples(command, path, verb);
  parent.addCommand(command);
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = new Command(name)
    .copyInheritedSettings(program)
    .description(groups[name] ?? '')
    .helpGroup(headingOf(name));
  addExamples(addGlobalOptions(group.usage('<command> [flags]')), name);
  program.addCommand(group);
  return group;
}

function addExamples(command: Command, path: string, verb?: Verb): void {
  const examples = examplesOf(path, verb);
  const lines = examples.map((example) => `  ${example}`).join('\n');
  if (examples.length > 0)
    command.addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines}`);
}

/** Commander shows commands in the order in which they were added; help shows them heading by heading. */
function inOrder(program: Command): Command {
  const place = (command: Command): [number, number] => [
    headings.findIndex((heading) => heading === command.helpGroup()),
    rankOf(command.name()),
  ];
  const sorted = [...program.commands].sort((a, b) => {
    const [headingA, rankA] = place(a);
    const [headingB, rankB] = place(b);
    return headingA - headingB || rankA - rankB;
  });
  (program.commands as Command[]).splice(0, program.commands.length, ...sorted);
  return program;
}
