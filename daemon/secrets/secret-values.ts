// Is the right side of an assignment a secret, or does it only say where one would stand? Notes about code are full of
// `API_KEY=<your key>` and `password: process.env.PW`: refusing those would teach agents to stop saving.

/** How sure the left side is that a literal on the right is a secret. */
export type Expectation = 'password' | 'key';

export type Assigned = {
  /** Without quotes. */
  readonly value: string;
  readonly expects: Expectation;
  /** In quotes, after `=` without spaces, or after a command-line flag: there is no doubt that a value was meant. */
  readonly explicit: boolean;
  /** `NAME=value` with the name in capitals, as a shell or an env file has it. */
  readonly environment: boolean;
};

const emptyWords = new Set(
  (
    'null none nil undefined void true false yes no on off enabled disabled required optional default empty blank unset hidden ' +
    'function symbol array list map set json string str text number int integer bool boolean bytes any object varchar char input field value type unknown missing ' +
    'password passwd pass pwd passphrase username user secret token key apikey credential credentials bearer basic auth oauth oauth2 ' +
    'changeme redacted masked removed omitted encrypted hashed example sample dummy placeholder foo bar foobar todo tbd ' +
    'base64 sha1 sha256 sha512 md5 bcrypt argon2 argon2id scrypt pbkdf2 utf8 utf-8 http2 ipv4 ipv6 x509 pkcs8 pkcs12 k8s hs256 rs256 es256 jwt'
  ).split(' '),
);

/** Words by which a quoted sentence is told from a passphrase: labels, errors and hints of a form. */
const sentenceWords =
  /(?:^|\s)(?:a|an|the|is|are|was|must|should|cannot|can't|not|or|and|for|your|enter|please|forgot|reset|confirm|invalid|wrong|incorrect|required|new|old|to|of|in|at|with|field|expired)(?:\s|$)/i;

const placeholders: readonly RegExp[] = [
  /^[xX*.…•_\-#?0]+$/,
  /\*{3}|…|\.{3}|•{2}|x{6}/i,
  /^<[^>]*>?$/,
  /^\{{1,2}[^}]*\}{0,2}$/,
  /^\[[^\]]*\]?$/,
  /^[(,;)\]}]|^![01]/,
  /^\$(?:[{(]|[A-Za-z_])/,
  /^%(?:[A-Za-z_]+%|[sdv@]$|\()/,
  /^[A-Z]+(?:_[A-Z0-9]+)+$/,
  /^[A-Z]{2,20}$/,
  /your|change[-_ ]?me|replace[-_ ]?(?:me|with|this)|[-_ ]here$/i,
  /^(?:insert|enter|put|example|sample|dummy|placeholder|redacted|todo|tbd|from|see|via|stored|managed)[-_ .:]/i,
  /1password|bitwarden|keepass|lastpass|keychain|secretsmanager|secret-manager/i,
  /^[\^~=v]?\d{1,5}(?:\.\d{1,5}){1,3}$/,
  /^\d[\d.,]*[A-Za-z%]{1,3}$/,
  /^\d+[-_ ]?(?:char|day|min|hour|sec|digit|byte|bit|word|time|token)/i,
];

/** Where a secret lives, rather than the secret: an address, a path, a name in a vault. */
const references: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]{0,30}:\/\//i,
  /^(?:arn|op|vault|ssm|keychain|env|file|secret|kv|gcp|aws|azure|sha\d{1,3}|md5)[:-]/i,
  /^(?:\.{0,2}\/|~\/)/,
];

/** `projects/123/secrets/shop/versions/3`: words and numbers between slashes, as base64 never has them. */
const path = /^(?:[a-z_.-]{1,60}\d{0,3}|\d{1,20})(?:\/(?:[a-z_.-]{1,60}\d{0,3}|\d{1,20}))+$/;

/** An expression of a program: a call, a member, an index. */
const expression = /[()[\]]|^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+;?$/;

/** Whether a value assigned to a password, key or token is the thing itself. */
export function isSecretValue(assigned: Assigned): boolean {
  const { value } = assigned;
  if (emptyWords.has(value.toLowerCase()) || placeholders.some((shape) => shape.test(value))) return false;
  if (path.test(value)) return false;
  if (references.some((shape) => shape.test(value)) && !isRandom(value)) return false;
  if (/\s/.test(value)) return assigned.expects === 'password' && assigned.explicit && !sentenceWords.test(value);
  if (!assigned.explicit && expression.test(value)) return false;
  return assigned.expects === 'password' ? isPassword(assigned) : isKey(assigned);
}

function isPassword({ value, explicit }: Assigned): boolean {
  if (explicit) return value.length >= 4 && !expression.test(value);
  if (/^\d+$/.test(value)) return value.length >= 6;
  if (/^[A-Za-z_$][\w$]*passw(?:or)?d[\w$]*$/i.test(value)) return false;
  return value.length >= 6 && /\p{L}/u.test(value) && /[\d!$%&*+=?@^~#]/.test(value) && !isWordy(value);
}

function isKey({ value, explicit, environment }: Assigned): boolean {
  if (isRandom(value)) return true;
  if (!explicit || expression.test(value) || /[/:]/.test(value)) return false;
  if (environment) return value.length >= 6 && !/^\d+$/.test(value);
  const parts = value.split(/[-_.]/);
  return value.length >= 6 && /[A-Za-z]/.test(value) && /\d/.test(value) && (parts.length === 1 || !isWordy(value));
}

/** Words and small numbers between hyphens, as names have them: `access-token-v2`. */
function isWordy(value: string): boolean {
  return (
    value.split(/[-_.]/).length > 1 &&
    value.split(/[-_.]/).every((part) => /^(?:[A-Za-z]*\d{0,2}|v?\d{1,4})$/.test(part))
  );
}

/** 16 or more characters in which letters and digits alternate as they do in no word; a UUID counts, and base64 that has no digit. */
export function isRandom(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z0-9+/=_.~:-]+$/.test(value) || isWordy(value)) return false;
  const dense = value.replace(/[-_.:~=]/g, '');
  const turns = dense.match(/[a-z](?=[A-Z0-9+/])|[A-Z0-9+/](?=[a-z])/g)?.length ?? 0;
  if (dense.length >= 32 && turns >= dense.length * 0.38 && entropyBits(dense) >= 4) return true;
  const digits = dense.replace(/\D/g, '').length;
  const switches = dense.match(/[A-Za-z+/]\d|\d[A-Za-z+/]/g)?.length ?? 0;
  return digits >= 2 && switches >= 3 && entropyBits(dense) >= 3;
}

/** Shannon entropy of a text's characters, in bits a character (Shannon 1948, §6). */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
