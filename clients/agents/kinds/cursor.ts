import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { skillFiles } from '../edits/text-files.ts';
import { hookEdits, serverEdit, serverEntry } from '../server-entry.ts';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  restart: 'Restart Cursor, or switch the server loci off and on in its settings.',
  traces: ({ home }) => ({ folders: [join(home, '.cursor')], programs: ['cursor', 'cursor-agent'] }),
  plan({ machine: { home }, program, hooks }) {
    const folder = join(home, '.cursor');
    return {
      edits: [
        serverEdit(join(folder, 'mcp.json'), ['mcpServers'], { ...serverEntry(program) }),
        ...(hooks ? hookEdits(join(folder, 'hooks.json'), 'cursor', program) : []),
        ...skillFiles(join(folder, 'skills'), program),
      ],
      notes: [],
    };
  },
};
