import { join } from 'node:path';
import { hookCommandLine } from '#shared/hook-command.ts';
import type { Agent, LociProgram } from '../agent.ts';
import type { Edit } from '../edits/edit.ts';
import { skillFiles } from '../edits/text-files.ts';
import { folderOf } from '../machine.ts';
import { hookPlace, serverEdit, serverEntry } from '../server-entry.ts';

export const copilotCli: Agent = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  restart: 'Start a new session of Copilot CLI.',
  traces: (machine) => ({ folders: [folderOf(machine, 'COPILOT_HOME', '.copilot')], programs: ['copilot'] }),
  plan({ machine, program, hooks }) {
    const folder = folderOf(machine, 'COPILOT_HOME', '.copilot');
    return {
      edits: [
        serverEdit(join(folder, 'mcp-config.json'), ['mcpServers'], {
          type: 'local',
          ...serverEntry(program),
          tools: ['*'],
        }),
        ...(hooks ? [hookFile(join(folder, 'hooks', 'loci.json'), program)] : []),
        ...skillFiles(join(folder, 'skills'), program),
      ],
      notes: [],
    };
  },
};

const events = [
  ['session-start', 'sessionStart'],
  ['user-prompt', 'userPromptSubmitted'],
  ['session-end', 'sessionEnd'],
] as const;

/** Copilot reads every file of the folder, so ours is our own. */
function hookFile(file: string, program: LociProgram): Edit {
  const hooks = events.map(([event, theirs]) => {
    const bash = hookCommandLine({ ...hookPlace(program), event, agent: 'copilot-cli' });
    return [theirs, [{ type: 'command', bash, timeoutSec: 5 }]];
  });
  const text = `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
  return { kind: 'file', role: 'hook', file, text };
}
