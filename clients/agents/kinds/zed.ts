import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { configFolder } from '../machine.ts';
import { serverEdit, serverEntry } from '../server-entry.ts';

export const zed: Agent = {
  name: 'zed',
  title: 'Zed',
  restart: 'Zed takes it up by itself.',
  traces: (machine) => ({ folders: [folder(machine)], programs: ['zed', 'zeditor'] }),
  plan: ({ machine, program }) => ({
    edits: [
      serverEdit(join(folder(machine), 'settings.json'), ['context_servers'], {
        source: 'custom',
        enabled: true,
        ...serverEntry(program),
      }),
    ],
    notes: [],
  }),
};

/** Zed keeps its settings below `~/.config` on a Mac too. */
function folder(machine: Machine): string {
  return join(configFolder(machine), 'zed');
}
