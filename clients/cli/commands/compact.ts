// `loci compact` over two operations: unite what fades, or with `--undo ID` take one union back. To a person both are one thing.
import { Command, Option } from 'commander';
import { memoryConsolidate, memoryUndoConsolidation } from '#shared/contract/upkeep.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { renderOutput } from '../render/renderers.ts';

type Flags = { project?: string; dryRun?: boolean; undo?: string };

export function addCompactCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('compact')
      .summary('unite fading memories that say the same')
      .description(
        'Unite fading memories that say nearly the same into one. The originals are archived and point to it, and `--undo` brings them back. Runs by itself after every ten saves and every day.',
      )
      .addOption(new Option('--project <text>', 'only this project (default: all)'))
      .addOption(new Option('--dry-run', 'say what would be united and change nothing').conflicts('undo'))
      .addOption(new Option('--undo <id>', 'take back the union that made this memory').conflicts('project')),
  );
  command.action(async () => {
    const session = deps.openSession(command);
    const { project, dryRun, undo } = command.opts<Flags>();
    if (undo === '') throw new LociError('invalid_input', '--undo needs the id of a memory that `loci compact` made.');
    const [name, input] =
      undo === undefined
        ? [memoryConsolidate.name, { ...(project === undefined ? {} : { project }), dry_run: dryRun === true }]
        : [memoryUndoConsolidation.name, { id: undo }];
    const output = await (await session.connection()).call(name, input);
    session.print(output, () => renderOutput(name, output, session.view(input)));
  });
  mount('compact', command);
}
