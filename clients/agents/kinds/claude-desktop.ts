import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { applicationFolder } from '../machine.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

export const claudeDesktop: Agent = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  restart: 'Quit Claude Desktop and open it again.',
  traces: (machine) => ({ folders: [join(applicationFolder(machine), 'Claude')], programs: ['claude-desktop'] }),
  plan: ({ machine, program }) => ({
    edits: [
      serverEdit(join(applicationFolder(machine), 'Claude', 'claude_desktop_config.json'), ['mcpServers'], {
        ...serverEntry(program),
      }),
    ],
    notes: [],
  }),
};
