// MCP servers stand in `.claude.json` (never in settings.json), hooks in settings.json. A plugin brings hooks, skills, command and server
// itself: with both, everything would run twice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Machine } from '../agent.ts';
import { readJsonc } from '../edits/jsonc.ts';
import { skillFiles, textFile } from '../edits/text-files.ts';
import { folderOf, isFile } from '../machine.ts';
import { hookEdits, serverEdit, serverEntry } from '../server-entry.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  restart: 'Start a new session of Claude Code.',
  traces: (machine) => ({ folders: [folder(machine)], programs: ['claude'] }),
  plan({ machine, program, hooks, besidePlugin = false }) {
    if (!besidePlugin && hasPlugin(machine)) {
      return { edits: [], notes: ['Its plugin loci is on and brings everything: nothing is written beside it.'] };
    }
    const entry = { type: 'stdio', ...serverEntry(program), alwaysLoad: true };
    return {
      edits: [
        serverEdit(serversFile(machine), ['mcpServers'], entry),
        ...(hooks ? hookEdits(settingsFile(machine), 'claude-code', program) : []),
        textFile(join(folder(machine), 'commands', 'loci.md'), program, 'commands/loci.md'),
        ...skillFiles(join(folder(machine), 'skills'), program),
      ],
      notes: [],
    };
  },
};

/** Whether the plugin `loci` is installed and switched on in the user's settings. */
export function hasPlugin(machine: Machine): boolean {
  const file = settingsFile(machine);
  if (!isFile(file)) return false;
  try {
    const { enabledPlugins } = readJsonc(readFileSync(file, 'utf8')).value as { enabledPlugins?: object };
    return Object.entries(enabledPlugins ?? {}).some(([name, value]) => /^loci@/.test(name) && value !== false);
  } catch {
    return false; // the edit of this file will say what is wrong with it
  }
}

function folder(machine: Machine): string {
  return folderOf(machine, 'CLAUDE_CONFIG_DIR', '.claude');
}

function settingsFile(machine: Machine): string {
  return join(folder(machine), 'settings.json');
}

/** The older place wins where it exists; the newer one is beside the folder, or inside when CLAUDE_CONFIG_DIR names it. */
function serversFile(machine: Machine): string {
  const old = join(folder(machine), '.config.json');
  return isFile(old) ? old : join(folderOf(machine, 'CLAUDE_CONFIG_DIR', ''), '.claude.json');
}
