// Flags beat the environment beats the file beats the defaults. A setting that cannot be meant stops the start: a daemon that
// silently listens elsewhere, or keeps another backup than its owner asked for, is found out when it is too late.
import { LociError } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Setting } from './setting-kinds.ts';
import { envNameOf, type SettingKey, type SettingValues, settingKeys, settings } from './settings.ts';

/** Where a value came from; `name` is the environment variable. */
export type SettingOrigin =
  | { readonly from: 'default' | 'file' | 'flag' }
  | { readonly from: 'environment'; readonly name: string };

export type SettingSources = {
  /** The parsed `config.toml`: nested tables or dotted keys; null when there is no file. */
  readonly file: Readonly<Record<string, unknown>> | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Setting key → value. */
  readonly flags?: Readonly<Record<string, unknown>>;
};

export type Settings = {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingKey, SettingOrigin>>;
  /** `LOCI_` variables that are no setting: worth a warning, not a refusal, because other programs may have set them. */
  readonly unknownEnv: readonly string[];
};

/** Variables that clients and the shim read by themselves. */
const otherEnv = new Set([
  'LOCI_HOME',
  'LOCI_SOCKET',
  'LOCI_NO_AUTOSTART',
  'LOCI_TOKEN',
  'LOCI_SERVER',
  'LOCI_IN_HOOK',
]);

/** Throws `invalid_input`: the message names key, value and what is allowed; `details` maps every wrong key to its problem. */
export function readSettings(sources: SettingSources): Settings {
  const file = flatten(sources.file ?? {});
  const flags = sources.flags ?? {};
  const problems: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};

  for (const key of [...Object.keys(file), ...Object.keys(flags)]) {
    if (!isSettingKey(key)) problems[key] = unknownKey(key);
  }
  for (const key of settingKeys) {
    const { origin, raw } = pick(key, file, sources.env, flags);
    const setting: Setting<unknown> = settings[key];
    const value = origin.from === 'default' ? setting.default : setting.read(raw);
    if (value === undefined) problems[key] = badValue(key, setting, raw, origin);
    values[key] = value;
    origins[key] = origin;
  }
  const read = values as SettingValues;
  if (Object.keys(problems).length === 0) Object.assign(problems, contradictions(read));
  const sentences = Object.values(problems);
  if (sentences.length > 0) throw new LociError('invalid_input', sentences.join(' '), problems);

  return { values: read, origins: origins as Settings['origins'], unknownEnv: unknownEnv(sources.env) };
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

function pick(
  key: SettingKey,
  file: Readonly<Record<string, unknown>>,
  env: SettingSources['env'],
  flags: Readonly<Record<string, unknown>>,
): { origin: SettingOrigin; raw: unknown } {
  if (flags[key] !== undefined) return { origin: { from: 'flag' }, raw: flags[key] };
  for (const name of envNamesOf(key)) {
    const raw = env[name];
    if (raw !== undefined && raw !== '') return { origin: { from: 'environment', name }, raw };
  }
  if (Object.hasOwn(file, key)) return { origin: { from: 'file' }, raw: file[key] };
  return { origin: { from: 'default' }, raw: undefined };
}

/** Long name first: it can mean nothing else. */
export function envNamesOf(key: SettingKey): readonly string[] {
  const { shortEnv }: Setting<unknown> = settings[key];
  return shortEnv === undefined ? [envNameOf(key)] : [envNameOf(key), shortEnv];
}

/** `{http: {port: 1}}` and `{'http.port': 1}` alike become `{'http.port': 1}`. */
function flatten(table: Readonly<Record<string, unknown>>, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(table)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isTable(value) && !isSettingKey(key)) Object.assign(flat, flatten(value, key));
    else flat[key] = value;
  }
  return flat;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function unknownKey(key: string): string {
  const near = nearest(key, settingKeys);
  const siblings = settingKeys.filter((known) => known.split('.')[0] === key.split('.')[0]);
  if (near !== null) return `Unknown setting \`${key}\`; did you mean \`${near}\`?`;
  if (siblings.length > 0 && siblings.length <= 12) {
    return `Unknown setting \`${key}\`; allowed are ${siblings.map((known) => `\`${known}\``).join(', ')}.`;
  }
  return `Unknown setting \`${key}\`; \`loci config\` lists those that exist.`;
}

function badValue(key: SettingKey, setting: Setting<unknown>, raw: unknown, origin: SettingOrigin): string {
  const name = origin.from === 'environment' ? `\`${key}\` (${origin.name})` : `\`${key}\``;
  const shown =
    setting.secret === true || setting.isRefusedUnseen === true
      ? ''
      : `, not ${JSON.stringify(raw)?.slice(0, 200) ?? 'nothing'}`;
  return `${name} must be ${setting.allowed}${shown}.`;
}

function contradictions(values: SettingValues): Record<string, string> {
  const problems: Record<string, string> = {};
  const tls = values['http.tls_cert'] !== null && values['http.tls_key'] !== null;
  if (!tls && (values['http.tls_cert'] !== null || values['http.tls_key'] !== null)) {
    problems['http.tls_cert'] = '`http.tls_cert` and `http.tls_key` must be set together.';
  }
  if (!isLoopback(values['http.host']) && !tls && !values['http.allow_insecure_remote']) {
    problems['http.host'] =
      `\`http.host\` must be a loopback address, not ${JSON.stringify(values['http.host'])}, unless \`http.tls_cert\` and \`http.tls_key\` or \`http.allow_insecure_remote\` are set.`;
  }
  if (values['search.default_limit'] > values['search.max_limit']) {
    problems['search.default_limit'] =
      `\`search.default_limit\` must be at most \`search.max_limit\` (${values['search.max_limit']}), not ${values['search.default_limit']}.`;
  }
  if (values['vectors.url'] !== null && values['storage.url'] === null) {
    problems['vectors.url'] =
      '`vectors.url` is for the daemons of a team: set `storage.url` too, or unset it to keep the vectors on this machine.';
  }
  return problems;
}

/** Whether an address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(host);
}

function unknownEnv(env: SettingSources['env']): string[] {
  const known = new Set(settingKeys.flatMap(envNamesOf));
  return Object.keys(env).filter((name) => name.startsWith('LOCI_') && !known.has(name) && !otherEnv.has(name));
}
