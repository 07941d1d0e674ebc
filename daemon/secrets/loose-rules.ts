// Secrets in the ways in which people and tools write them down beside assignments and headers: in tables, forms, markup, lists of
// variables, statements of a database, and arguments of well-known programs. Bounded as those of context-rules.ts.
import { isRandom, isSecretValue } from './secret-values.ts';
import {
  bare,
  expectationOf,
  type Found,
  harmlessEnd,
  keyWord,
  kindOf,
  passwordWord,
  quoted,
  spanOf,
  statementOf,
  trimmed,
} from './secret-words.ts';

type Shape = {
  readonly pattern: RegExp;
  /** The group of the word that names the secret; without one it is a password. */
  readonly word?: number;
  /** The first of the groups in which the value may stand. */
  readonly value: number;
  /** Whether nothing but the secret can stand there. */
  readonly explicit?: true;
};

const word = `(${passwordWord}|${keyWord})`;
const name = `([A-Za-z0-9_.-]{0,40}(?:${passwordWord}|pass|${keyWord})[A-Za-z0-9_-]{0,24})`;

const shapes: readonly Shape[] = [
  // `| password | … |`, `password → …`, `password<tab>…`
  {
    pattern: shape(
      `${word}[*\`]{0,3}(?:[ ]{0,3}(?:\\||->|→|—|–|\\t)[ \\t]{0,3}|[ ]-[ ])[*\`]{0,3}([^\\s"'\`|]{1,300})`,
    ),
    word: 1,
    value: 2,
  },
  // a form that was copied: the label on a line of its own, the value below it
  {
    pattern: shape(`^[ \\t]{0,8}${word}[ \\t]{0,4}\\r?\\n[ \\t]{0,8}([^\\s"'\`]{6,300})(?=\\s|$)`, 'm'),
    word: 1,
    value: 2,
  },
  {
    pattern: shape(
      `(?<![A-Za-z])(?:pass|pw)["'\`]?[*_]{0,3}[ \\t]{0,3}(?::=|=>|=|:)[*_]{0,3}[ \\t]{0,3}(?:${quoted}|${bare})`,
    ),
    value: 1,
  },
  { pattern: /(?<![A-Za-z0-9])[A-Z0-9_]{1,60}_(?:PASS|PW)=["']?([^\s"']{4,200})/dg, value: 1, explicit: true },
  { pattern: shape(`(?:the|my|our|is|:)[ ](?:pass|pw)[ ](?:is|was):?[ ]${bare}`), value: 1 },
  { pattern: shape(`${word}[ ]?(?:ist|lautet|es|est|é|是|は|:는|은|는)[ ]?${bare}`), word: 1, value: 2 },
  // `user/pass: admin/…`, `credentials: admin:…`
  {
    pattern:
      /\b(?:user(?:name)?[ ]?[/&+:][ ]?pass(?:word)?|credentials?|creds|basic_?auth)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?[A-Za-z0-9._@+-]{2,64}[ ]?[/:][ ]?([^\s"'/]{6,100})/dgi,
    value: 1,
  },
  // markup, and lists of variables as Kubernetes, Compose and .NET have them
  { pattern: shape(`<${name}>([^<>\\n]{1,300})</`), word: 1, value: 2, explicit: true },
  {
    pattern: shape(
      `\\b(?:name|key)\\\\?["']?[ ]{0,3}[:=][ ]{0,3}\\\\?["']?${name}\\\\?["']?,?\\s{1,12}\\\\?["']?value\\\\?["']?[ ]{0,3}[:=][ ]{0,3}(?:${quoted}|${bare})`,
    ),
    word: 1,
    value: 2,
    explicit: true,
  },
  { pattern: shape(`\\b(?:ENV|setx)[ ]{1,3}${name}[ ]{1,3}(?:${quoted}|${bare})`), word: 1, value: 2, explicit: true },
  // statements and settings of databases, programs, addresses
  { pattern: /\bidentified[ ]{1,3}by[ ]{1,3}'([^'\n]{4,200})'/dgi, value: 1, explicit: true },
  { pattern: /\bpassword[ ]{1,3}'([^'\n]{4,200})'/dgi, value: 1 },
  { pattern: /\b(?:requirepass|masterauth)[ \t]{1,4}["']?([^\s"']{4,200})/dgi, value: 1 },
  {
    pattern: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}:([^\s:@/"'<>{}$]{3,100})@(?:tcp|unix)\(/dg,
    value: 1,
    explicit: true,
  },
  { pattern: /\bredis-cli\b[^\n]{0,100}?[ ]-a[ ]{1,3}["']?([^\s"']{4,200})/dg, value: 1, explicit: true },
  {
    pattern:
      /\b(?:(?:docker|podman|nerdctl|helm|oras|az)[^\n]{1,60}?\blogin|mongo(?:sh|dump|restore)?)\b[^\n]{0,100}?[ ]-p[ ]{1,3}["']?([^\s"'-][^\s"']{5,200})/dg,
    value: 1,
  },
  { pattern: /\b(?:passin|passout|pass)[ ]{1,3}pass:([^\s"']{4,200})/dg, value: 1, explicit: true },
  {
    pattern: /\bhtpasswd[ ]{1,3}-[a-zA-Z]{1,6}[ ]{1,3}\S{1,100}[ ]{1,3}\S{1,64}[ ]{1,3}["']?([^\s"']{4,200})/dg,
    value: 1,
    explicit: true,
  },
  { pattern: /(?<![A-Za-z-])--?pass[ =]{1,2}["']?([^\s"']{6,200})/dg, value: 1 },
];

/** Links that a signature opens, and the private parts of keys in JSON. */
const signedLink = /[?&](?:sig|signature)=([A-Za-z0-9%+/=_-]{40,200})/dgi;
const privateJwk = /"(?:d|k)"[ ]{0,3}:[ ]{0,3}"([A-Za-z0-9_-]{22,2000})"/dg;

export function* looseSecrets(text: string): Generator<Found> {
  for (const { pattern, word: named, value: first, explicit = false } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const group = [first, first + 1, first + 2, first + 3].find((index) => match[index] !== undefined) ?? first;
      const whole = trimmed(match[group] ?? '', true);
      const value = explicit ? whole : statementOf(whole);
      const means = named === undefined ? 'pass' : (match[named] ?? '');
      if (named !== undefined && harmlessEnd.test(means.replace(wordInside, ''))) continue;
      // "pass" is a verb in most texts: what follows it is one only if nobody could have said it
      if (named === undefined && !explicit && (/[^\x21-\x7E]/.test(value) || value.startsWith('!'))) continue;
      const expects = expectationOf(wordInside.exec(means)?.[0] ?? means);
      if (!isSecretValue({ value, expects, explicit, environment: explicit })) continue;
      yield spanOf(kindOf(expects), match, group, whole.length);
    }
  }
  for (const match of text.matchAll(signedLink)) {
    if (isRandom((match[1] ?? '').replace(/%[0-9A-F]{2}/gi, '+'))) yield spanOf('signed link', match, 1);
  }
  if (!text.includes('"kty"')) return;
  for (const match of text.matchAll(privateJwk)) yield spanOf('private key', match, 1);
}

const wordInside = new RegExp(`${passwordWord}|pass|${keyWord}`, 'i');

function shape(source: string, flags = ''): RegExp {
  return new RegExp(source, `dgi${flags}`);
}
