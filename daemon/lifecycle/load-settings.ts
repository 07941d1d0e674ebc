import { chmodSync, readFileSync, statSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';
import { readSettings, type Settings } from '#shared/read-settings.ts';
import type { Setting } from '#shared/setting-kinds.ts';
import { settingKeys, settings } from '#shared/settings.ts';

export type SettingsInput = {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags?: Readonly<Record<string, unknown>>;
};

/** Settings of flags, environment and `config.toml`. Throws `invalid_input` that says which line or key is wrong and what is allowed. */
export async function loadSettings({ file, env, flags = {} }: SettingsInput): Promise<Settings> {
  const table = await readTable(file);
  const read = readSettings({ file: table, env, flags });
  if (table !== null && holdsSecret(read)) makePrivate(file);
  return read;
}

async function readTable(file: string): Promise<Record<string, unknown> | null> {
  const text = readText(file);
  if (text === null) return null;
  const { parse, TomlError } = await import('smol-toml'); // most homes have no file: nothing to parse, nothing to load
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new LociError('invalid_input', `${file} is no TOML: see line ${error.line}, column ${error.column}.`);
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new LociError('unavailable', `The settings ${file} cannot be read (${code ?? 'unknown error'}).`);
  }
}

function holdsSecret({ origins }: Settings): boolean {
  return settingKeys.some((key) => (settings[key] as Setting<unknown>).secret === true && origins[key].from === 'file');
}

function makePrivate(file: string): void {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}
