import { describe, expect, it } from 'vitest';
import { LociError } from '#shared/errors.ts';
import { envNamesOf, readSettings, type SettingSources } from '#shared/read-settings.ts';
import type { Setting } from '#shared/setting-kinds.ts';
import { envNameOf, type SettingKey, settingKeys, settings } from '#shared/settings.ts';

const none: SettingSources = { file: null, env: {} };

/** A value that each kind of setting takes and that is not its default, and one that it refuses. */
const examples: Partial<Record<SettingKey, { good: unknown; bad: unknown }>> = {
  'http.host': { good: 'localhost', bad: 7 },
  'search.default_limit': { good: 7, bad: 0 },
  'search.max_limit': { good: 60, bad: 1.5 },
  'auth.jwt.issuer': { good: 'https://issuer.test', bad: 'issuer' },
  'http.allowed_hosts': { good: 'loci.example.org', bad: 'https://loci.example.org' },
  'vectors.url': { good: 's3://team-vectors/loci', bad: 's3://key:secret@team-vectors/loci' },
  'storage.url': { good: 'postgres://team@localhost/loci', bad: 'http://localhost' },
};

function example(key: SettingKey): { good: unknown; bad: unknown } {
  const setting: Setting<unknown> = settings[key];
  const given = examples[key];
  if (given !== undefined) return given;
  if (setting.allowed === 'true or false') return { good: setting.default !== true, bad: 'maybe' };
  if (setting.allowed.startsWith('one of ')) {
    const other = setting.allowed.slice('one of '.length).split(', ').at(-1);
    return { good: other, bad: 'another' };
  }
  const range = /^(?:a whole number|a number) from (\S+) to (\S+)$/u.exec(setting.allowed);
  if (range !== null) return { good: Number(range[2]), bad: Number(range[2]) + 1 };
  if (setting.allowed.startsWith('an address')) return { good: 'http://127.0.0.1:9', bad: 'ftp://127.0.0.1' };
  if (setting.allowed.startsWith('a cron line')) return { good: '5 4 * * *', bad: 'daily' };
  return { good: 'some text', bad: ['a list'] };
}

/** TLS files come in pairs, and a shared vector table belongs to a shared database, or the start is refused. */
function withPartner(key: SettingKey, file: Record<string, unknown>): Record<string, unknown> {
  if (key === 'http.tls_cert') return { ...file, 'http.tls_key': 'key.pem' };
  if (key === 'http.tls_key') return { ...file, 'http.tls_cert': 'cert.pem' };
  if (key === 'vectors.url') return { ...file, 'storage.url': 'postgres://team@localhost/loci' };
  return file;
}

function nested(key: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = key.split('.');
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

function refusal(sources: SettingSources): LociError {
  try {
    readSettings(sources);
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

describe.each(settingKeys.map((key) => ({ key })))('the setting $key', ({ key }) => {
  const { good, bad } = example(key);

  it('has its default and says so', () => {
    const { values, origins } = readSettings(none);
    expect(values[key]).toBe((settings[key] as Setting<unknown>).default);
    expect(origins[key]).toEqual({ from: 'default' });
  });

  it('is read from the file', () => {
    const { values, origins } = readSettings({ file: withPartner(key, nested(key, good)), env: {} });
    expect(values[key]).toBe(good);
    expect(origins[key]).toEqual({ from: 'file' });
  });

  it('is read from each of its environment names, which beat the file', () => {
    for (const name of envNamesOf(key)) {
      const { values, origins } = readSettings({
        file: withPartner(key, nested(key, bad)),
        env: { [name]: String(good) },
      });
      expect(values[key]).toBe(good);
      expect(origins[key]).toEqual({ from: 'environment', name });
    }
  });

  it('refuses a bad value by key, value and what is allowed', () => {
    const error = refusal({ file: nested(key, bad), env: {} });
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(`\`${key}\``);
    expect(error.message).toContain((settings[key] as Setting<unknown>).allowed);
    const { secret, isRefusedUnseen }: Setting<unknown> = settings[key];
    if (secret !== true && isRefusedUnseen !== true) expect(error.message).toContain(JSON.stringify(bad));
    expect(Object.keys(error.details)).toEqual([key]);
  });
});

describe('reading settings', () => {
  it('takes the short names of the contract', () => {
    const env = {
      LOCI_HOST: '127.0.0.2',
      LOCI_PORT: '0',
      LOCI_TOOLS: 'all',
      LOCI_LOG_LEVEL: 'warn',
      OPENAI_API_KEY: 'k',
      OLLAMA_HOST: '127.0.0.1:9',
    };
    const { values } = readSettings({ file: null, env });
    expect(values['http.host']).toBe('127.0.0.2');
    expect(values['http.port']).toBe(0);
    expect(values['mcp.tools']).toBe('all');
    expect(values['log.level']).toBe('warn');
    expect(values['embedding.openai_api_key']).toBe('k');
    expect(values['embedding.ollama_host']).toBe('127.0.0.1:9');
  });

  it('derives the environment name from the key', () => {
    expect(envNameOf('jobs.flush_accesses.timeout_s')).toBe('LOCI_JOBS_FLUSH_ACCESSES_TIMEOUT_S');
  });

  it('lets a flag beat the environment', () => {
    const { values, origins } = readSettings({ file: null, env: { LOCI_PORT: '5' }, flags: { 'http.port': '6' } });
    expect(values['http.port']).toBe(6);
    expect(origins['http.port']).toEqual({ from: 'flag' });
  });

  it('takes an empty variable as unset', () => {
    expect(readSettings({ file: null, env: { LOCI_PORT: '' } }).origins['http.port']).toEqual({ from: 'default' });
  });

  it('refuses an unknown key and names the near one', () => {
    const error = refusal({ file: { http: { prot: 1 } }, env: {} });
    expect(error.message).toContain('`http.prot`');
    expect(error.message).toContain('`http.port`');
  });

  it('refuses an unknown key that is near to none and names the allowed ones of its table', () => {
    expect(refusal({ file: { log: { whatever_this_is: 1 } }, env: {} }).message).toContain('`log.max_mb`');
  });

  it('names every wrong key at once', () => {
    const error = refusal({ file: { log: { level: 'loud', max_mb: 0 } }, env: {} });
    expect(Object.keys(error.details)).toEqual(['log.level', 'log.max_mb']);
  });

  it('never shows a secret in a refusal', () => {
    expect(refusal({ file: null, env: { OPENAI_API_KEY: 'sk\nsecret' } }).message).not.toContain('secret');
  });

  it('refuses a foreign address without TLS or consent', () => {
    expect(refusal({ file: { http: { host: '0.0.0.0' } }, env: {} }).message).toContain('allow_insecure_remote');
    const file = { http: { host: '0.0.0.0', allow_insecure_remote: true } };
    expect(readSettings({ file, env: {} }).values['http.host']).toBe('0.0.0.0');
  });

  it('refuses half a TLS pair and a default above the maximum', () => {
    expect(refusal({ file: { http: { tls_cert: 'a' } }, env: {} }).message).toContain('together');
    expect(refusal({ file: { search: { default_limit: 60 } }, env: {} }).message).toContain('`search.max_limit`');
  });

  it('reports variables that name no setting without refusing them', () => {
    const env = { LOCI_HOME: '/h', LOCI_EMBEDING_MODEL: 'x', HOME: '/h' };
    expect(readSettings({ file: null, env }).unknownEnv).toEqual(['LOCI_EMBEDING_MODEL']);
  });

  it('does not read the names of the seed', () => {
    const { values } = readSettings({ file: null, env: { MEMORY_TOKEN_BUDGET: '9', EMBEDDING_MODEL: 'm' } });
    expect(values['query.token_budget']).toBe(8000);
    expect(values['embedding.model']).toBeNull();
  });
});
