import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { geminiCommandFiles } from '../edits/text-files.ts';
import { folderOf } from '../machine.ts';
import { hookEdits, serverEdit, serverEntry } from '../server-entry.ts';

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  restart: 'Start a new session of Gemini CLI.',
  traces: (machine) => ({ folders: [folder(machine)], programs: ['gemini'] }),
  plan({ machine, program, hooks }) {
    const file = join(folder(machine), 'settings.json');
    return {
      edits: [
        serverEdit(file, ['mcpServers'], { ...serverEntry(program) }),
        ...(hooks ? hookEdits(file, 'gemini-cli', program) : []),
        ...geminiCommandFiles(join(folder(machine), 'commands'), program),
      ],
      notes: ['Gemini CLI starts MCP servers in folders that you trust.'],
    };
  },
};

function folder(machine: Machine): string {
  return join(folderOf(machine, 'GEMINI_CLI_HOME', ''), '.gemini');
}
