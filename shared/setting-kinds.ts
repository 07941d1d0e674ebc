// What a setting may hold. Plain functions instead of a schema library: the hooks and `loci` read settings in processes that
// live for a tenth of a second, and a refusal must name what is allowed in one form for the file, the environment and `loci config`.

/** One setting: its default, what it may hold in words, and the check that reads it. */
export type Setting<T> = {
  readonly default: T;
  readonly doc: string;
  /** Completes the sentence "must be …". */
  readonly allowed: string;
  /** A name in the environment beside the rule `LOCI_` + key. */
  readonly shortEnv?: string;
  /** Never printed, neither by `loci config` nor in a refusal. */
  readonly secret?: true;
  /** A refusal does not repeat what was given. */
  readonly isRefusedUnseen?: true;
  /** Reads a TOML value or its text from the environment; `undefined` means refused. */
  readonly read: (value: unknown) => T | undefined;
};

type Extras = { readonly shortEnv?: string; readonly secret?: true };

export function integer(fallback: number, min: number, max: number, doc: string, extras: Extras = {}): Setting<number> {
  const allowed = `a whole number from ${min} to ${max}`;
  const read = (value: unknown) => within(readNumber(value), min, max, true);
  return { default: fallback, doc, allowed, read, ...extras };
}

export function decimal(fallback: number, min: number, max: number, doc: string): Setting<number> {
  const allowed = `a number from ${min} to ${max}`;
  return { default: fallback, doc, allowed, read: (value) => within(readNumber(value), min, max, false) };
}

export function flag(fallback: boolean, doc: string): Setting<boolean> {
  const words = new Map<unknown, boolean>([
    [true, true],
    ['true', true],
    ['1', true],
    ['on', true],
    [false, false],
    ['false', false],
    ['0', false],
    ['off', false],
  ]);
  return { default: fallback, doc, allowed: 'true or false', read: (value) => words.get(value) };
}

export function choice<const C extends string>(
  fallback: NoInfer<C>,
  choices: readonly C[],
  doc: string,
  extras: Extras = {},
): Setting<C> {
  const allowed = `one of ${choices.join(', ')}`;
  return { default: fallback, doc, allowed, read: (value) => choices.find((known) => known === value), ...extras };
}

/** A text of one line; NUL and line breaks are refused because no path, host, model or key has them. */
export function text(fallback: string, doc: string, extras: Extras = {}): Setting<string> {
  const read = (value: unknown) =>
    typeof value === 'string' && /^[^\0\r\n]{1,4096}$/u.test(value) ? value : undefined;
  return { default: fallback, doc, allowed: 'a text of one line', read, ...extras };
}

/** An http or https address, kept as written but for slashes at its end. */
export function url(fallback: string, doc: string, extras: Extras = {}): Setting<string> {
  const read = (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:\/\//iu.test(value)
      ? value.replace(/\/+$/u, '')
      : undefined;
  return { default: fallback, doc, allowed: 'an address that begins with http:// or https://', read, ...extras };
}

/** Names of this service, `loci.example.org` or with a port, between commas; no wildcard, which would let names in that others may own. */
export function hostNames(doc: string): Setting<string> {
  const name = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/iu;
  const read = (value: unknown) =>
    typeof value === 'string' && value.split(',').every((part) => name.test(part.trim())) ? value : undefined;
  return { default: '', doc, allowed: 'host names between commas, without a wildcard', read };
}

/** Where a PostgreSQL database is, as libpq writes it. It may hold a password, so it is kept secret as a whole. */
export function postgresUrl(doc: string): Setting<string> {
  const read = (value: unknown) =>
    typeof value === 'string' && /^postgres(ql)?:\/\/\S+$/iu.test(value) && URL.canParse(value) ? value : undefined;
  return { default: '', doc, allowed: 'an address that begins with postgres://', read, secret: true };
}

/** A folder in a bucket of an object store. Keys come from the environment, so nothing of it is secret; a refusal must not print them either. */
export function bucketUrl(doc: string): Setting<string> {
  const pattern = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)*\/?$/u;
  const read = (value: unknown) =>
    typeof value === 'string' && pattern.test(value) ? value.replace(/\/$/u, '') : undefined;
  const allowed =
    'an address such as s3://bucket/folder, without user, password or options: those are given in the environment';
  return { default: '', doc, allowed, read, isRefusedUnseen: true };
}

/** The same setting, unset by default. */
export function unset<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, default: null };
}

/** Five or six fields of the characters that cron knows; whether the numbers are in range is for the scheduler to say. */
export function cron(doc: string): Setting<string> {
  const pattern = /^\s*[\w*/,\-#?]+(\s+[\w*/,\-#?]+){4,5}\s*$/u;
  const read = (value: unknown) => (typeof value === 'string' && pattern.test(value) ? value.trim() : undefined);
  return { default: '', doc, allowed: 'a cron line of five fields, such as "30 3 * * *"', read };
}

/** Rule 3 of the contract: a text that is exactly a number is that number; never rounding. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/u.test(value)) return Number(value);
  return undefined;
}

function within(value: number | undefined, min: number, max: number, whole: boolean): number | undefined {
  if (value === undefined || !Number.isFinite(value) || value < min || value > max) return undefined;
  return whole && !Number.isInteger(value) ? undefined : value;
}
