// A memory that speaks to the model instead of about something was planted, or was copied from a page that was. It is kept and found like
// any other, but it does not reach a context by itself before somebody has looked at it. Judged is what a reader would read: invisible
// characters are left out and look-alike letters are taken for what they look like, or a single Cyrillic letter would pass any rule.
// Rules name acts no note about a project needs; what they hold by mistake costs a review, never a memory.
import { suspicionRules } from './suspicion-rules.ts';

/** Why a text should be looked at before it is put into a context by itself; empty for nearly all. Takes time in proportion to the text. */
export function suspicionsOf(text: string): string[] {
  const visible = withoutInvisible(text);
  const plain = withoutLookAlikes(visible.normalize('NFKC'));
  const found = suspicionRules.filter(({ pattern }) => pattern.test(plain)).map(({ reason }) => reason);
  const read = suspicionRules.filter(({ pattern }) => pattern.test(text)).map(({ reason }) => reason);
  if (found.length > read.length) found.push('is written so that it passes for something else');
  if (hidesText(text)) found.push('holds characters that are not seen');
  if (mixesAlphabets(visible)) found.push('mixes letters of alphabets that look alike');
  return [...new Set(found)];
}

/** Characters without a look of their own, but for the joiners and selectors that emoji and some scripts need between their letters. */
const invisible = /(?!\u200C|\u200D|[\uFE00-\uFE0F])[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
/** A joiner that joins nothing: Latin needs none, and several joiners or selectors in a row carry something else. */
const idle = /(?<=[\p{Script=Latin}\p{N}\s]|^)(?:\u200C|\u200D)+|(?:\u200C|\u200D|[\uFE00-\uFE0F]){3,}/gu;

/** The text as it is seen. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '').replace(idle, '');
}

const direction = /[\u202A-\u202E\u2066-\u2069]/;
const insideWord = /\p{Script=Latin}(?:\u200B|\u200C|\u200D|\u2060|\uFEFF)+\p{Script=Latin}/u;
/** The tags block, and the selectors beyond those of emoji: both have been used to write what nobody sees. */
const tagLetters = /[\u{E0000}-\u{E01EF}]/u;

function hidesText(text: string): boolean {
  return direction.test(text) || insideWord.test(text) || tagLetters.test(text);
}

/** Letters of Cyrillic and Greek that look as Latin ones do. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...('аaеeоoрpсcуyхxіiјjѕsԁdɡgһhԛqԝwАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSкkмmтtвbнh'.match(/../gu) ?? []),
    ...('οoαaνvρpιiκkυuΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXτt'.match(/../gu) ?? []),
  ].map((pair) => [pair[0], pair[1]]),
);
const lookAlike = new RegExp(`[${Object.keys(lookAlikes).join('')}]`, 'gu');

const latin = /\p{Script=Latin}/u;
const cyrillicOrGreek = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

function isMixed(word: string): boolean {
  return latin.test(word) && cyrillicOrGreek.test(word);
}

function withoutLookAlikes(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (word) =>
    isMixed(word) ? word.replace(lookAlike, (letter) => lookAlikes[letter] ?? letter) : word,
  );
}

/** A word of four or more letters, Latin but for letters that only look so. Units (`µs`, `Δt`) and names in two scripts with a hyphen are none. */
function mixesAlphabets(text: string): boolean {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{4,}/gu)) {
    if (!isMixed(word)) continue;
    const plain = word.replace(lookAlike, (letter) => lookAlikes[letter] ?? letter);
    if (/^\p{Script=Latin}+$/u.test(plain)) return true;
  }
  return false;
}
