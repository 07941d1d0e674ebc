// VS Code and its relatives differ in the name of one folder. Each that is there gets an entry; where none is, VS Code itself.
import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { promptFiles } from '../edits/text-files.ts';
import { applicationFolder, isFolder } from '../machine.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

export const vscode: Agent = {
  name: 'vscode',
  title: 'VS Code',
  restart: 'Run "Developer: Reload Window" in VS Code.',
  traces: (machine) => ({ folders: products(machine), programs: ['code', 'code-insiders', 'codium'] }),
  plan({ machine, program }) {
    const present = products(machine).filter(isFolder);
    const folders = (present.length > 0 ? present : products(machine).slice(0, 1)).map((one) => join(one, 'User'));
    return {
      edits: folders.flatMap((folder) => [
        serverEdit(join(folder, 'mcp.json'), ['servers'], { type: 'stdio', ...serverEntry(program) }),
        ...promptFiles(join(folder, 'prompts'), program),
      ]),
      notes: [],
    };
  },
};

function products(machine: Machine): string[] {
  return ['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(applicationFolder(machine), name));
}
