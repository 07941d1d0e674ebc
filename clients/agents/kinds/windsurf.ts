import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

/** Its hooks can block a prompt and add nothing to it, so it gets none. */
export const windsurf: Agent = {
  name: 'windsurf',
  title: 'Windsurf',
  restart: 'Refresh the MCP servers in the settings of Windsurf.',
  traces: ({ home }) => ({ folders: [join(home, '.codeium', 'windsurf')], programs: ['windsurf'] }),
  plan: ({ machine: { home }, program }) => ({
    edits: [
      serverEdit(join(home, '.codeium', 'windsurf', 'mcp_config.json'), ['mcpServers'], { ...serverEntry(program) }),
    ],
    notes: [],
  }),
};
