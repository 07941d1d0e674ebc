// The words by which a secret is named, and the shapes in which its value stands beside them.
import type { Expectation } from './secret-values.ts';

export type Found = { readonly kind: string; readonly start: number; readonly end: number };

/** In the languages in which most people write one down. */
export const passwordWord =
  'password|passwd|passphrase|passcode|pwd|passwort|kennwort|contrase[ñn]a|senha|wachtwoord|mot de passe|' +
  'пароль|密码|密碼|口令|パスワード|비밀번호';
export const keyWord =
  'secret|token|credentials?|(?:api|access|secret|private|auth|account|encryption|signing|service|master|admin|storage|pre-?shared)[_. -]?key';
/** Three groups: a text in double quotes, in single ones, in backticks. */
export const quoted = `\\\\?"([^"\\n]{1,300})|\\\\?'([^'\\n]{1,300})|\`([^\`\\n]{1,300})`;
/** One group: a text without spaces and quotes. */
export const bare = '([^\\s"\'`]{1,300})';

/** Parts of a name that say that no secret stands on the right: `token_budget`, `secret_name`, `password_min_length`. */
export const harmlessEnd =
  /name|ur[il]|env|file|path|ref|id$|len|ttl|type|expir|polic|field|regex|pattern|manager|count|budget|limit|max|min|usage|provider|store|vault|prompt|label|hint|format|prefix|size|source|location|endpoint|column|class|rotation|age|days|hash|izer|ize$|ization|header|algorithm/i;
export const harmlessStart =
  /(?:page|next|prev|continuation|sync|cancel|cancellation|design|stop|start|eos|bos|pad|max|min|num|total|input|output|prompt|completion|cached|count|css|theme|color|public|no|per|of)[_.-]?$/i;

const isPasswordWord = new RegExp(`^(?:${passwordWord}|pass|pw)`, 'i');

export function expectationOf(word: string): Expectation {
  return isPasswordWord.test(word) ? 'password' : 'key';
}

export function kindOf(expects: Expectation): string {
  return expects === 'password' ? 'password' : 'key or token';
}

/** Without the punctuation of the sentence or the statement around it. */
export function trimmed(value: string, isBare: boolean): string {
  return isBare ? value.replace(/[.,;:!?)\]}>*\\]{1,20}$/, '') : value.replace(/\\$/, '').trim();
}

/** `n` of `password=n,this.nonce=…`: in code without spaces the next statement or member follows at once. */
export function statementOf(value: string): string {
  const next = /[,;&](?=[A-Za-z_$][\w$.]{0,60}(?:[=:({[]|$))/.exec(value);
  return next === null ? value : value.slice(0, next.index);
}

export function spanOf(kind: string, match: RegExpMatchArray, group: number, length?: number): Found {
  const [from, to] = match.indices?.[group] ?? [match.index ?? 0, match.index ?? 0];
  return { kind, start: from, end: length === undefined ? to : Math.min(to, from + length) };
}
