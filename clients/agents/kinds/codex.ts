// Codex asks before a tool that may destroy something, and with `approval_policy = "never"` it refuses instead: the two tools that can do
// everything are therefore allowed by name. Its trust in hooks is the user's to give; a forged hash would be an attack on a protection.
import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import type { Edit } from '../edits/edit.ts';
import { skillFiles } from '../edits/text-files.ts';
import { folderOf } from '../machine.ts';
import { hookEdits, serverEntry, serverName } from '../server-entry.ts';

/** Tools with a destructive hint in the default profile. */
export const approvedTools = ['memory', 'execute_tool'] as const;

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  restart: 'Start a new session of Codex.',
  traces: (machine) => ({ folders: [folderOf(machine, 'CODEX_HOME', '.codex')], programs: ['codex'] }),
  plan({ machine, program, hooks }) {
    const folder = folderOf(machine, 'CODEX_HOME', '.codex');
    const tools = Object.fromEntries(approvedTools.map((tool) => [tool, { approval_mode: 'approve' }]));
    const server: Edit = {
      kind: 'table',
      role: 'server',
      file: join(folder, 'config.toml'),
      path: ['mcp_servers', serverName],
      value: { ...serverEntry(program), tools },
    };
    return {
      edits: [
        server,
        ...(hooks ? hookEdits(join(folder, 'hooks.json'), 'codex', program) : []),
        ...skillFiles(join(machine.home, '.agents', 'skills'), program),
      ],
      notes: hooks ? ['Codex runs the hooks once you trust them: type /hooks in a session of Codex.'] : [],
    };
  },
};
