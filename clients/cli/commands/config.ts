import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { LociError } from '#shared/errors.ts';
import { resolvePaths } from '#shared/paths.ts';
import { readSettings, type SettingOrigin } from '#shared/read-settings.ts';
import type { Setting } from '#shared/setting-kinds.ts';
import { type SettingKey, settingKeys, settings } from '#shared/settings.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import type { View } from '../render/style.ts';
import { table } from '../render/table.ts';
import type { Session } from '../session.ts';

type Row = { readonly key: string; readonly value: unknown; readonly origin: string };

/** `loci config`: every setting, its value and where that came from, read here just as the daemon reads it at its start. */
export function addConfigCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('config')
      .summary('print settings, their values and origins')
      .description('Print settings as a daemon started from here would read them: value, and where it came from.')
      .argument('[key]', 'a key such as http.port, or the beginning of several such as http')
      .option('--changed', 'only what is not the default'),
  );
  command.action(async (key: string | undefined, flags: { changed?: boolean }) => {
    const session = deps.openSession(command);
    const rows = (await readRows(session))
      .filter((row) => key === undefined || row.key === key || row.key.startsWith(`${key}.`))
      .filter((row) => flags.changed !== true || row.origin !== 'default');
    if (rows.length === 0 && key !== undefined && flags.changed !== true) {
      throw new LociError('not_found', `There is no setting \`${key}\`: \`loci config\` prints them all.`);
    }
    session.print(Object.fromEntries(rows.map((row) => [row.key, { value: row.value, origin: row.origin }])), () => ({
      result: rows.length === 0 ? '' : settingsTable(rows, session.view()),
    }));
  });
  mount('config', command);
}

async function readRows(session: Session): Promise<Row[]> {
  const file = resolvePaths(session.io.env, session.options).settings;
  const { values, origins, unknownEnv } = readSettings({ file: await readTable(file), env: session.io.env });
  for (const name of unknownEnv) session.notice(`warning: ${name} is no setting of Loci.`);
  return settingKeys.map((key) => ({
    key,
    value: shownValue(key, values[key]),
    origin: originText(origins[key], file),
  }));
}

async function readTable(file: string): Promise<Record<string, unknown> | null> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LociError('invalid_input', `The settings ${file} cannot be read: check who owns the file.`);
  }
  const { parse, TomlError } = await import('smol-toml'); // most homes have no file, so nothing to load
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new LociError('invalid_input', `${file} is no TOML: see line ${error.line}, column ${error.column}.`);
  }
}

/** A secret is never shown, only that it is set. */
function shownValue(key: SettingKey, value: unknown): unknown {
  const setting: Setting<unknown> = settings[key];
  return setting.secret === true && value !== null ? '(set)' : value;
}

function originText(origin: SettingOrigin, file: string): string {
  if (origin.from === 'environment') return origin.name;
  return origin.from === 'file' ? file : origin.from;
}

function settingsTable(rows: readonly Row[], view: View): string {
  const columns = [{ head: 'SETTING', paint: view.style.cyan }, { head: 'VALUE' }, { head: 'FROM' }];
  return table(
    columns,
    rows.map((row) => [row.key, row.value === null ? 'unset' : String(row.value), row.origin]),
    view,
  );
}
