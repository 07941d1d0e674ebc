import type { HookCommand } from '#shared/hook-command.ts';
import { hookSettings } from '#shared/hook-settings.ts';
import type { LociProgram } from './agent.ts';
import type { Edit, Json } from './edits/edit.ts';

/** The name of the entry in every agent's settings. */
export const serverName = 'loci';

export type ServerEntry = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
};

/** How an agent starts the MCP server: no shell, no PATH, no npm. */
export function serverEntry({ node, script, env }: LociProgram): ServerEntry {
  return { command: node, args: [script, 'mcp'], ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** An entry for Loci in a JSON file below `parents`; `more` are the fields that this agent wants beside it. */
export function serverEdit(file: string, parents: readonly string[], value: { readonly [key: string]: Json }): Edit {
  return { kind: 'value', role: 'server', file, path: [...parents, serverName], value };
}

/** What a hook is told of where Loci lives. */
export function hookPlace({ node, script, env }: LociProgram): Omit<HookCommand, 'event' | 'agent'> {
  return { node, program: script, home: env.LOCI_HOME, socket: env.LOCI_SOCKET };
}

/** Our hooks for an agent whose hooks stand in a JSON file; `agent` is its name in `loci hook --agent`. */
export function hookEdits(file: string, agent: string, program: LociProgram): Edit[] {
  const settings = hookSettings(agent, hookPlace(program));
  const { hooks = {}, ...rest } = (settings ?? {}) as { hooks?: Record<string, Json[]> } & Record<string, Json>;
  return [
    ...Object.entries(rest).map(
      ([key, value]): Edit => ({ kind: 'default', role: 'setting', file, path: [key], value }),
    ),
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.map((value): Edit => ({ kind: 'hook', role: 'hook', file, path: ['hooks', event], value })),
    ),
  ];
}
