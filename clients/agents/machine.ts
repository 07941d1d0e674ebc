import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Machine } from './agent.ts';

/** The machine of a person whose environment this is. */
export function machineOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Machine {
  return { home: env.HOME || homedir(), env, platform };
}

/** Absolute path of a program on PATH, or null. */
export function programOnPath({ env }: Machine, name: string): string | null {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (isAbsolute(folder) && isExecutable(file)) return file;
  }
  return null;
}

/** Below the folder of a variable when that is set, else below home: `CODEX_HOME`, `.codex`. */
export function folderOf({ home, env }: Machine, variable: string, usual: string): string {
  const given = env[variable];
  return given !== undefined && isAbsolute(given) ? given : join(home, usual);
}

/** `~/.config`, wherever that is. */
export function configFolder(machine: Machine): string {
  return folderOf(machine, 'XDG_CONFIG_HOME', '.config');
}

/** Where programs with windows keep their settings: `~/Library/Application Support`, `%APPDATA%` or `~/.config`. */
export function applicationFolder(machine: Machine): string {
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support');
  if (machine.platform === 'win32') return machine.env.APPDATA ?? join(machine.home, 'AppData', 'Roaming');
  return configFolder(machine);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}
