import { Command } from 'commander';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeBlock } from '../render/escape.ts';

/** `loci prompt`: the instructions for an agent without MCP, to paste into its rules. */
export function addPromptCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('prompt')
      .summary('print the instructions for an agent without MCP')
      .description('Print, as Markdown, what an agent without MCP should do to use this memory.'),
  );
  command.action(async () => {
    const session = deps.openSession(command);
    const text = await (await session.connection()).getText('/memories/instructions');
    session.print({ instructions: text }, () => ({ result: escapeBlock(text).trimEnd() }));
  });
  mount('prompt', command);
}
