// The successor of Gemini CLI. The program and the application read two folders; the application's is written only where it exists. What
// its hooks may put into a context is not documented, so it gets the server and the skills.
import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { skillFiles } from '../edits/text-files.ts';
import { isFolder } from '../machine.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

export const antigravity: Agent = {
  name: 'antigravity',
  title: 'Antigravity',
  restart: 'Start a new session of Antigravity.',
  traces: (machine) => ({ folders: [cli(machine), app(machine)], programs: ['agy', 'antigravity'] }),
  plan({ machine, program }) {
    const hasApp = isFolder(app(machine));
    const folders = [...(hasApp && !isFolder(cli(machine)) ? [] : [cli(machine)]), ...(hasApp ? [app(machine)] : [])];
    return {
      edits: [
        ...folders.map((folder) =>
          serverEdit(join(folder, 'mcp_config.json'), ['mcpServers'], { ...serverEntry(program) }),
        ),
        ...skillFiles(join(cli(machine), 'skills'), program),
      ],
      notes: [],
    };
  },
};

const cli = ({ home }: Machine): string => join(home, '.gemini', 'antigravity-cli');
const app = ({ home }: Machine): string => join(home, '.gemini', 'config');
