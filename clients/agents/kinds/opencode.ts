// OpenCode reads up to three files of a folder, the later over the earlier, and knows two shapes of entry. The entry goes where it is in
// force: the file that wins, in the shape that this file uses. Its hooks are a plugin, which runs `loci hook` as other agents do.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { hookArguments } from '#shared/hook-command.ts';
import type { Agent, LociProgram, Machine } from '../agent.ts';
import type { Edit, Json } from '../edits/edit.ts';
import { readJsonc } from '../edits/jsonc.ts';
import { markdownCommandFiles, readText } from '../edits/text-files.ts';
import { configFolder, isFile } from '../machine.ts';
import { hookPlace, serverEdit, serverEntry } from '../server-entry.ts';

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  restart: 'Start OpenCode again.',
  traces: (machine) => ({ folders: [folder(machine)], programs: ['opencode'] }),
  plan({ machine, program, hooks }) {
    const { file, others } = settingsFile(machine);
    return {
      edits: [
        serverEntryEdit(file, program),
        ...(hooks ? [pluginFile(join(folder(machine), 'plugins', 'loci.js'), program)] : []),
        ...markdownCommandFiles(join(folder(machine), 'commands'), program),
      ],
      notes: others.map((other) => `${file} is in force over ${other}, so the entry goes there.`),
    };
  },
};

function folder(machine: Machine): string {
  const given = machine.env.OPENCODE_CONFIG_DIR;
  return given !== undefined && isAbsolute(given) ? given : join(configFolder(machine), 'opencode');
}

/** The settings in force, and those that it overrides. */
function settingsFile(machine: Machine): { file: string; others: string[] } {
  const inFolder = ['opencode.jsonc', 'opencode.json', 'config.json'].map((name) => join(folder(machine), name));
  const named = machine.env.OPENCODE_CONFIG;
  const present = inFolder.filter(isFile);
  if (named) return { file: named, others: present };
  const [file = join(folder(machine), 'opencode.json'), ...others] = present;
  return { file, others };
}

function serverEntryEdit(file: string, program: LociProgram): Edit {
  const { command, args, env } = serverEntry(program);
  const common = { type: 'local', command: [command, ...args], ...(env === undefined ? {} : { environment: env }) };
  return hasNewShape(file)
    ? serverEdit(file, ['mcp', 'servers'], common)
    : serverEdit(file, ['mcp'], { ...common, enabled: true });
}

/** The newer shape has its servers one level below. */
function hasNewShape(file: string): boolean {
  if (!isFile(file)) return false;
  try {
    const { mcp } = readJsonc(readFileSync(file, 'utf8')).value as { mcp?: { servers?: Json } };
    const servers = mcp?.servers;
    return typeof servers === 'object' && servers !== null && !Array.isArray(servers) && !('type' in servers);
  } catch {
    return false; // the edit of this file will say what is wrong with it
  }
}

function pluginFile(file: string, program: LociProgram): Edit {
  const { node, script } = program;
  const words = hookArguments({ ...hookPlace(program), event: 'EVENT', agent: 'opencode' });
  const text = readText(program, 'opencode-plugin.js')
    .replace("['loci', 'hook']", () => JSON.stringify([node, script, 'hook']))
    .replace("['--agent', 'opencode']", () => JSON.stringify(words.slice(words.indexOf('--agent'))));
  return { kind: 'file', role: 'hook', file, text };
}
