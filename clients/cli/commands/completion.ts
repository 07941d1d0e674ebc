import { Argument, Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { type CommandTree, commandTree } from '../completion/command-tree.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

const scripts: Readonly<Record<string, (tree: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `loci completion SHELL`: a script to source, made from the commands of this very program. */
export function addCompletionCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('completion')
      .summary('what makes Tab complete its commands')
      .description('Print a script that completes the commands, flags and values of loci in your shell.')
      .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(scripts))),
  );
  command.action((shell: string) => {
    const session = deps.openSession(command);
    let program: Command = command;
    while (program.parent !== null) program = program.parent;
    const script = scripts[shell]?.(commandTree(program)) ?? '';
    session.print({ shell, script }, () => ({ result: script.trimEnd() }));
  });
  mount('completion', command);
}
