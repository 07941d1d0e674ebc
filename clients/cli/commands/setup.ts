import { Command } from 'commander';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

export type SetupFlags = {
  readonly agent?: readonly string[];
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly yes?: boolean;
  readonly project?: boolean;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
};

/** `loci setup`: what reads and writes the agents' files is loaded when it is run and not before. */
export function addSetupCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('setup')
      .summary('connect agents to this memory')
      .description(
        'Connect the agents of this machine: MCP server, hooks, skills and commands. Shows every change before it is made, touches nothing else in their files, and can undo it to the byte. On a terminal without flags it asks.',
      )
      .option('--agent <name>', 'this agent; may be repeated', (value: string, before: string[] = []) => [
        ...before,
        value,
      ])
      .option('--all', 'every agent that is found')
      .option('--dry-run', 'show the changes and make none')
      .option('--undo', 'take out what setup wrote')
      .option('--yes', 'do not ask')
      .option('--project', 'add a section to the AGENTS.md of this project')
      .option('--no-hooks', 'no hooks: the agent searches and saves by itself only'),
  );
  command.action(async () => {
    const { runSetup } = await import('../run-setup.ts');
    deps.setExitCode(await runSetup(deps.openSession(command), command.opts<SetupFlags>()));
  });
  mount('setup', command);
}
