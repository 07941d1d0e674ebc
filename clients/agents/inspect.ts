// What an agent has of Loci in the files that it reads, whoever put it there: for the doctor, who starts it as the agent would.
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import type { AgentName, LociProgram, Machine } from './agent.ts';
import { agents } from './agents.ts';
import type { Edit, Json } from './edits/edit.ts';
import { valueAt } from './edits/jsonc.ts';
import { hasPlugin } from './kinds/claude-code.ts';
import { isLociCommand, isLociHook } from './loci-hook.ts';
import { isObject } from './same.ts';

export type FoundServer = {
  readonly file: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

export type FoundHook = { readonly file: string; readonly event: string; readonly command: string };

export type AgentState = {
  readonly name: AgentName;
  readonly servers: readonly FoundServer[];
  /** Two of the same event run twice. */
  readonly hooks: readonly FoundHook[];
  /** The agent's plugin `loci` is on and brings the same again. */
  readonly hasPlugin: boolean;
  /** Files that should hold something of ours and cannot be read, with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly why: string }[];
};

/** Reads the files that setup would write for this agent. */
export function inspectAgent(name: AgentName, machine: Machine, program: LociProgram): AgentState {
  const isPlugin = name === 'claude-code' && hasPlugin(machine);
  const { edits } = agents[name].plan({ machine, program, hooks: true, besidePlugin: true });
  const unreadable: { file: string; why: string }[] = [];
  const look = <Found>(edit: Edit, read: (edit: Edit) => Found[]): Found[] => {
    try {
      return read(edit);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') unreadable.push({ file: edit.file, why: message });
      return [];
    }
  };
  return {
    name,
    servers: edits.filter(({ role }) => role === 'server').flatMap((edit) => look(edit, serverIn)),
    hooks: edits.filter(({ role }) => role === 'hook').flatMap((edit) => look(edit, hooksIn)),
    hasPlugin: isPlugin,
    unreadable,
  };
}

function serverIn(edit: Edit): FoundServer[] {
  if (edit.kind !== 'value' && edit.kind !== 'table') return [];
  const text = readFileSync(edit.file, 'utf8').replace(/^\uFEFF/, '');
  const value = edit.kind === 'value' ? valueAt(text, edit.path) : inTable(parse(text) as Json, edit.path);
  if (!isObject(value)) return [];
  const [command, ...args] = [value.command, value.args].flat().map(String);
  const env = isObject(value.env) ? value.env : isObject(value.environment) ? value.environment : {};
  const words = Object.entries(env).map(([key, one]) => [key, String(one)]);
  return command === undefined
    ? []
    : [{ file: edit.file, command, args: args.filter((one) => one !== 'undefined'), env: Object.fromEntries(words) }];
}

function hooksIn(edit: Edit): FoundHook[] {
  const { file } = edit;
  const text = readFileSync(file, 'utf8');
  if (edit.kind === 'file') {
    return file.endsWith('.json')
      ? commandsIn(JSON.parse(text) as Json).map((command) => ({ file, event: '', command }))
      : [];
  }
  if (edit.kind !== 'hook') return [];
  const list = valueAt(text, edit.path);
  const ours = Array.isArray(list) ? (list as readonly Json[]).filter(isLociHook) : [];
  return commandsIn(ours).map((command) => ({ file, event: edit.path.at(-1) ?? '', command }));
}

function commandsIn(value: Json): string[] {
  if (typeof value === 'string') return isLociCommand(value) ? [value] : [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(commandsIn);
  return isObject(value) ? Object.values(value).flatMap(commandsIn) : [];
}

function inTable(table: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), table);
}
