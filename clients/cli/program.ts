// The command tree: every contract with a command, the friendly verbs over the `memory` operation, and the commands that are not
// an operation (the daemon's process, settings, discovery). Only what works stands here, because `--help` is a promise.
import { Command } from 'commander';
import { contracts } from '#shared/contract/index.ts';
import { version } from '#shared/version.ts';
import { addAuthCommands } from './commands/auth.ts';
import { addCallCommand } from './commands/call.ts';
import { addCompactCommand } from './commands/compact.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDaemonCommands } from './commands/daemon.ts';
import { addServiceCommands } from './commands/daemon-service.ts';
import { addToolsCommands } from './commands/discovery.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExportCommand } from './commands/export.ts';
import { addFactCommands } from './commands/fact.ts';
import { addHookCommand } from './commands/hook.ts';
import { addImportCommand } from './commands/import.ts';
import { addLogsCommand } from './commands/logs.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMigrateStorageCommand } from './commands/migrate-storage.ts';
import { addPromptCommand } from './commands/prompt.ts';
import { addReEmbedCommand } from './commands/re-embed.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addSkillImportCommand } from './commands/skill-import.ts';
import { addTokenCommand } from './commands/token.ts';
import { addUiCommand } from './commands/ui.ts';
import type { CommandDeps } from './derive-command.ts';
import { deriveCommand } from './derive-command.ts';
import { addGlobalOptions, globalFlagsText } from './global-options.ts';
import { headings } from './help-pages.ts';
import type { Mount } from './mount.ts';
import { examplesOf, headingOf, rankOf, summaryOf } from './presentation.ts';
import { escapeBlock } from './render/escape.ts';
import { type Verb, verbOf } from './verb.ts';

/** Where the program writes what commander says by itself: help to stdout, usage errors to stderr. */
export type ProgramOutput = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: number;
};

export type ProgramDeps = CommandDeps & { readonly output: ProgramOutput };

export function buildProgram(deps: ProgramDeps): Command {
  const program = rootCommand(deps.output);
  const mount: Mount = (path, command, verb) => place(program, path, command, verb);

  addFactCommands(mount, deps);
  for (const contract of contracts) {
    const verb = verbOf(contract);
    if (verb !== null && verb.command !== 'fact') mount(verb.command, deriveCommand(verb, deps), verb);
  }
  addCompactCommand(mount, deps);
  addReEmbedCommand(mount, deps);
  addSkillImportCommand(mount, deps);
  addExportCommand(mount, deps);
  addImportCommand(mount, deps);
  addDaemonCommands(mount, deps);
  addMigrateStorageCommand(mount, deps);
  addServeCommand(mount, deps);
  addServiceCommands(mount, deps);
  addDoctorCommand(mount, deps);
  addLogsCommand(mount, deps);
  addSetupCommand(mount, deps);
  addMcpCommand(mount);
  addHookCommand(mount);
  addPromptCommand(mount, deps);
  addToolsCommands(mount, deps);
  addCallCommand(mount, deps);
  addConfigCommand(mount, deps);
  addTokenCommand(mount, deps);
  addUiCommand(mount, deps);
  addCompletionCommand(mount, deps);
  addAuthCommands(mount, deps);

  return inOrder(program);
}

function rootCommand(output: ProgramOutput): Command {
  const program = new Command('loci')
    .description('One local, offline, long-term memory for all your coding agents.')
    .usage('<command> [flags]')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({
      styleTitle: (title) => (title === 'Options:' ? 'Flags:' : title),
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
      visibleOptions: (command) => (command.commands.length > 0 ? [] : command.options.filter((one) => !one.hidden)),
      visibleCommands: (command) => command.commands.filter((one) => one.name() !== 'help'),
    })
    .configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      outputError: (text, write) => write(escapeBlock(text)),
      getOutHelpWidth: () => output.columns,
      getErrHelpWidth: () => output.columns,
    })
    .addHelpText('after', () => `\nFlags of every command:\n${globalFlagsText()}\n${rootNotes}`);
  addGlobalOptions(program).version(version, '--version', 'print the version');
  return program;
}

const rootNotes = `
A text of \`-\` is read from stdin. \`--\` ends the flags: what follows is text, even if it begins with a dash.
Exit codes: 0 done, 2 bad input, 3 not found, 4 conflict, 5 no daemon, 130 interrupted, 1 anything else.`;

const leafNotes = `
\`--\` ends the flags, so that a text may begin with a dash. Flags of every command: loci --help`;

/** Adds a command under its words, making the group when it is the first of it, with its heading, examples and notes. */
function place(program: Command, path: string, command: Command, verb?: Verb): void {
  const words = path.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  command.usage(command.usage().replace('[options]', '[flags]'));
  command.copyInheritedSettings(parent).helpGroup(words.length === 1 ? headingOf(path) : 'Commands:');
  addNotes(command, path, verb);
  parent.addCommand(command);
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = new Command(name).copyInheritedSettings(program);
  addGlobalOptions(group)
    .usage('<command> [flags]')
    .description(summaryOf(name) ?? '')
    .helpGroup(headingOf(name));
  addNotes(group, name);
  program.addCommand(group);
  return group;
}

function addNotes(command: Command, path: string, verb?: Verb): void {
  const summary = summaryOf(path);
  if (summary !== undefined) command.summary(summary);
  const examples = examplesOf(path, verb);
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  const lines = [`${heading}:`, ...examples.map((example) => `  ${example}`)];
  command.addHelpText('after', `\n${examples.length === 0 ? '' : `${lines.join('\n')}\n`}${leafNotes}`);
}

/** Commander shows commands in the order in which they were added; help shows them heading by heading. */
function inOrder(program: Command): Command {
  const place = (command: Command): [number, number] => [
    (headings as readonly string[]).indexOf(command.helpGroup()),
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
