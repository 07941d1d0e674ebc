import { readFileSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';
import { readSettings } from '#shared/read-settings.ts';
import { broken, type Check, notice, ok } from './check.ts';
import { shellWord } from './shell-word.ts';

/** `config.toml` and the environment, read as the daemon reads them at its start. */
export const settingsFile: Check = {
  about: 'settings',
  async run({ paths, env }) {
    let text = '';
    try {
      text = readFileSync(paths.settings, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') {
        const why = `The settings ${paths.settings} cannot be read (${code ?? 'unknown error'}).`;
        return [broken('settings', why, `chmod 600 ${shellWord(paths.settings)}`)];
      }
    }
    const edit = `$EDITOR ${shellWord(paths.settings)}`;
    const { parse, TomlError } = await import('smol-toml');
    try {
      const { unknownEnv, origins } = readSettings({ file: text === '' ? null : parse(text), env });
      const changed = Object.values(origins).filter(({ from }) => from !== 'default').length;
      if (unknownEnv.length > 0) {
        const names = unknownEnv.join(', ');
        return [notice('settings', `${names}: no setting of Loci has that name.`, `unset ${unknownEnv.join(' ')}`)];
      }
      return [ok('settings', changed === 0 ? 'all as they come' : `${changed} changed; \`loci config --changed\``)];
    } catch (error) {
      if (error instanceof TomlError)
        return [broken('settings', `${paths.settings} is no TOML: see line ${error.line}.`, edit)];
      if (error instanceof LociError) return [broken('settings', error.message, edit)];
      throw error;
    }
  },
};
