import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { configFolder } from '../machine.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

/** The `mcp.json` that agents without settings of their own have agreed on. */
export const generic: Agent = {
  name: 'generic',
  title: 'Other agents (mcp.json)',
  restart: 'Restart the agents that read mcp.json.',
  traces: (machine) => ({ folders: [folder(machine)], programs: [] }),
  plan: ({ machine, program }) => ({
    edits: [serverEdit(join(folder(machine), 'mcp.json'), ['mcpServers'], { ...serverEntry(program) })],
    notes: [],
  }),
};

function folder(machine: Machine): string {
  return join(configFolder(machine), 'mcp');
}
