// Secrets that only their surroundings give away: key blocks, assignments, headers, addresses with a password. Every pattern
// starts at a fixed word and reads a bounded stretch after it, so the time grows with the text and never with its square.
import { entropyBits, isRandom, isSecretValue } from './secret-values.ts';
import {
  bare,
  expectationOf,
  type Found,
  harmlessEnd,
  harmlessStart,
  keyWord,
  kindOf,
  passwordWord,
  quoted,
  spanOf,
  statementOf,
  trimmed,
} from './secret-words.ts';

/** What stands between a secret and the word that gives it away; a name or an id has none of it. */
const separator = /[\s:=,]/;

export function* contextSecrets(text: string): Generator<Found> {
  if (!separator.test(text)) return;
  yield* keyBlocks(text);
  yield* urlPasswords(text);
  yield* assignments(text);
  yield* flags(text);
  yield* spoken(text);
  yield* headers(text);
  yield* seedPhrases(text);
}

const keyBlock = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
const keyBlockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[^\n]{0,100}/g;

/** A block with its end, or a beginning with key material after it; a mention of the first line alone is no key. */
function* keyBlocks(text: string): Generator<Found> {
  const ends = [...text.matchAll(keyBlockEnd)];
  const begins = [...text.matchAll(keyBlock)];
  for (const [index, begin] of begins.entries()) {
    const from = begin.index + begin[0].length;
    const nextBegin = begins[index + 1]?.index ?? text.length;
    while (ends[0] !== undefined && ends[0].index < from) ends.shift();
    const stop = ends[0] !== undefined && ends[0].index <= nextBegin ? ends[0] : null;
    const body = text.slice(from, Math.min(stop?.index ?? nextBegin, from + 4_000));
    if (!isKeyMaterial(body, stop !== null)) continue;
    yield { kind: 'private key', start: begin.index, end: stop === null ? nextBegin : stop.index + stop[0].length };
  }
}

/** Between both lines whatever is no filling; without the last line it must look like base64, and a line of it stand below. */
function isKeyMaterial(body: string, isWhole: boolean): boolean {
  const isBelow = /^\s*(?:\n|\\n)/.test(body.slice(0, 20));
  const [first = ''] = body
    .replace(/\\[nr]/g, ' ')
    .trim()
    .split(/\s/, 1);
  if (isWhole && isBelow) return first !== '' && !/^(?:[.…<[{*]|[xX]{3,}$)/.test(first);
  const runs = body.match(/[A-Za-z0-9+/=]{8,}/g) ?? [];
  if (isWhole) return runs.some((run) => /[^a-z]/.test(run));
  return (
    (isBelow && /^[A-Za-z0-9+/=]{12,}/.test(first)) || runs.some((run) => run.length >= 32 && entropyBits(run) >= 3)
  );
}

const urlPassword =
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s:@/?#"'<>]{0,100}:([^\s@/"'<>]{1,200})@[^\s@]/dg;

/** `scheme://user:password@host`. Literal passwords only, however weak: `user:pass@` stands in real files too. */
function* urlPasswords(text: string): Generator<Found> {
  for (const match of text.matchAll(urlPassword)) {
    const value = match[1] ?? '';
    if (/^[xX*.…•]+$|\*{3}|…|^[{[]|^\$[{(A-Za-z_]|^%[A-Za-z_]+%$|^[A-Z]+(?:_[A-Z]+)*$/.test(value)) continue;
    yield spanOf('connection string with a password', match, 1);
  }
}

const assignment = new RegExp(
  `(${passwordWord}|${keyWord})([A-Za-z0-9_-]{0,24})` +
    `(?:\\\\?["'\`]?\\]?[*_]{0,3}[ \\t]{0,4})(?::[ \\t]{0,2}[A-Za-z]{1,20}[ \\t]{0,2}(?==))?(:=|=>|={1,3}|:)[*_]{0,3}([ \\t]{0,4}|[ \\t]{0,4}\\n[ \\t]{1,8})` +
    `(?:${quoted}|${bare})`,
  'dgi',
);

function* assignments(text: string): Generator<Found> {
  for (const match of text.matchAll(assignment)) {
    const [, word = '', end = '', sign = '', space = ''] = match;
    const before = /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, match.index - 40), match.index))?.[0] ?? '';
    if (harmlessEnd.test(end) || harmlessStart.test(before)) continue;
    const group = [5, 6, 7, 8].find((index) => match[index] !== undefined) ?? 8;
    const name = before + word + end;
    const tight = sign !== ':' && space === '';
    const value = trimmed(match[group] ?? '', group === 8);
    const isVariable = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(name) && sign === ':' && /\d/.test(value);
    const assigned = {
      value: group === 8 ? statementOf(value) : value,
      expects: expectationOf(word),
      explicit: group !== 8 || tight || isVariable,
      environment: tight && /^[A-Z0-9_]+$/.test(name),
    };
    const isAwsSecret = /aws|access_?key/i.test(name) && /^[A-Za-z0-9/+]{40}$/.test(value);
    if (value === '' || lettersOf(value) === lettersOf(name) || (!isAwsSecret && !isSecretValue(assigned))) continue;
    yield spanOf(isAwsSecret ? 'AWS secret key' : kindOf(assigned.expects), match, group, value.length);
  }
}

/** `key_password=key_password` and `CHALLENGE_PASSWORD: "challengePassword"` hand on what they name. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const flag = new RegExp(`--?[a-z-]{0,30}(${passwordWord}|token|secret|api-key)[ \\t]{1,3}(?:${quoted}|${bare})`, 'dgi');
const shellUser = /\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]{0,3}["']?[^\s:"']{1,100}:([^\s"']{1,200})/dg;
const shellPassword =
  /\b(?:sshpass[ \t]{1,3}-p[ \t]?|mysql[a-z]{0,8}\b[^\n]{0,100}?[ \t]-p)["']?([^\s"'-][^\s"']{2,100})/dg;

/** Passwords and tokens given to a program. */
function* flags(text: string): Generator<Found> {
  for (const match of text.matchAll(flag)) {
    const group = [2, 3, 4, 5].find((index) => match[index] !== undefined) ?? 5;
    const value = trimmed(match[group] ?? '', group === 5);
    const expects = expectationOf(match[1] ?? '');
    const explicit = group !== 5 || /\d/.test(value);
    if (isSecretValue({ value, expects, explicit, environment: false })) {
      yield spanOf(kindOf(expects), match, group, value.length);
    }
  }
  for (const pattern of [shellUser, shellPassword]) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? '';
      if (isSecretValue({ value, expects: 'password', explicit: true, environment: false })) {
        yield spanOf('password', match, 1);
      }
    }
  }
}

const told = new RegExp(
  `(${passwordWord}|${keyWord})(?:[ ](?:for|of|to|on|at|in)[ ][^\\n.,;:]{1,40}?)?[ \\t]{1,3}(?:is|was)(?:[ ]now)?:?[ \\t]{1,3}` +
    `(?:${quoted}|${bare})|\\blogin[ \\t]{1,3}\\S{1,100}\\s{1,4}password[ \\t]{1,3}(\\S{1,200})`,
  'dgi',
);

/** "the password is hunter2", and the line of a netrc file. */
function* spoken(text: string): Generator<Found> {
  for (const match of text.matchAll(told)) {
    const group = [2, 3, 4, 5, 6].find((index) => match[index] !== undefined) ?? 5;
    const value = trimmed(match[group] ?? '', group >= 5);
    const expects = expectationOf(match[1] ?? 'password');
    if (isSecretValue({ value, expects, explicit: group !== 5, environment: false })) {
      yield spanOf(kindOf(expects), match, group, value.length);
    }
  }
}

const credential = /\b(?:bearer|token|secret|api[ _-]?key)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,2000})/dgi;
const authorization =
  /\b(?:authorization|api-key|private-token|job-token|x-[a-z-]{1,30}-(?:token|key|secret)|x-(?:token|key|secret))\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?(?:(?:bearer|token|apikey)[ \t]{1,3})?([A-Za-z0-9._~+/=-]{8,2000})/dgi;
const basic = /\b(?:basic[ \t]{1,3}|"auth"[ \t]{0,3}:[ \t]{0,3}")([A-Za-z0-9+/]{8,500}={0,2})/dgi;
const cookie =
  /\b(?:jsessionid|phpsessid|asp\.net_sessionid|session(?:[_-]?id|[_-]?token)?|connect\.sid|sid|auth)=([A-Za-z0-9%._~+/-]{20,2000})/dgi;

/** What a request carries. */
function* headers(text: string): Generator<Found> {
  for (const match of text.matchAll(authorization)) {
    const value = match[1] ?? '';
    const plain = { value, expects: 'key', explicit: true, environment: true } as const;
    if (/\d/.test(value) && isSecretValue(plain)) yield spanOf('authorization header', match, 1);
  }
  for (const match of text.matchAll(credential)) {
    if (isRandom(match[1] ?? '')) yield spanOf('bearer token', match, 1);
  }
  for (const match of text.matchAll(basic)) {
    if (isBasic(match[1] ?? '')) yield spanOf('basic credentials', match, 1);
  }
  for (const match of text.matchAll(cookie)) {
    if (isRandom(match[1] ?? '')) yield spanOf('session cookie', match, 1);
  }
}

/** RFC 7617: base64 of `user:password`. */
function isBasic(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return /^[\x20-\x7E]+$/.test(decoded) && /^[^:]*:.+/.test(decoded);
}

const seedPhrase =
  /\b(?:seed|recovery|mnemonic)(?:[ _-](?:phrase|words))?\\?["']?[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}\\?["']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/dgi;

function* seedPhrases(text: string): Generator<Found> {
  for (const match of text.matchAll(seedPhrase)) yield spanOf('wallet seed phrase', match, 1);
}
