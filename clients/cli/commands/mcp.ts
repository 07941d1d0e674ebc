import { Command } from 'commander';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

/**
 * `loci mcp` for `--help`: the dispatcher runs the shim itself, long before this program is read, because agents wait for it.
 * Started past the dispatcher, this hands over.
 */
export function addMcpCommand(mount: Mount): void {
  const command = addGlobalOptions(
    new Command('mcp')
      .summary('the MCP server that agents start (stdio)')
      .description('Connect an agent: speaks MCP on stdin and stdout and passes every line to the daemon.')
      .option('--tools <profile>', 'default, facts, lifecycle, knowledge or all (LOCI_TOOLS)'),
  );
  command.action(async () => {
    await import(new URL('./loci.cjs', import.meta.url).href);
    await new Promise(() => undefined); // the shim ends the process
  });
  mount('mcp', command);
}
