// A memory that speaks to the model instead of about something was planted, or was copied from a page that was. It is kept and found like
// any other, but it does not reach a context by itself before somebody has looked at it. Judged is what a reader would read: invisible
// characters are left out and look-alike letters are taken for what they look like, or a single Cyrillic letter would pass any rule.
// Rules name acts no note about a project needs; what they hold by mistake costs a review, never a memory.

type Rule = { readonly reason: string; readonly pattern: RegExp };

const before =
  '(?:previous|prior|earlier|preceding|above|foregoing|existing|original|system|safety|all|any|your|these|those)';
const orders =
  '(?:instructions?|prompts?|rules?|directives?|guidelines?|guardrails?|commands?|constraints?|context|training|policies)';
const must =
  '(?:always|must|immediately|first|before (?:you|anything|answering|replying|doing)|now|without (?:asking|confirmation)|silently)';

const rules: readonly Rule[] = [
  {
    reason: 'tells the reader to ignore its instructions',
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass|discard|neglect|do not follow|don't follow|stop following)\\b[^.\\n]{0,40}?\\b${before}\\b[^.\\n]{0,30}?\\b${orders}\\b`,
      'i',
    ),
  },
  {
    reason: 'tells the reader to ignore its instructions',
    pattern:
      /\b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,40}\b(?:anweisungen|regeln|vorgaben|befehle)\b|\b(?:ignorez?|oublie[zr]?)\b[^.\n]{0,40}\b(?:instructions|consignes|règles)\b|\b(?:ignora|olvida)\b[^.\n]{0,40}\b(?:instrucciones|reglas|órdenes)\b|(?:忽略|无视|忘记)[^。\n]{0,12}(?:指令|说明|指示|提示|规则)|(?:無視|忘れ)[^。\n]{0,12}|(?:игнорируй|забудь)[^.\n]{0,40}(?:инструкци|указани|правил)/iu,
  },
  {
    reason: 'gives the reader another role',
    pattern:
      /\byou are (?:now|no longer)\b|\bfrom now on,? (?:you|act|respond|answer|reply)\b|\b(?:act|behave|respond|pretend) as (?:if you (?:are|were|have)|an? (?:unrestricted|unfiltered|jailbroken|different|evil)|root|admin(?:istrator)?|dan\b)|\b(?:enter|enable|activate|switch to) (?:developer|debug|god|admin|dan|unrestricted|jailbreak) mode\b|\bnew (?:system )?(?:instructions|prompt|directive)s?\s*:/i,
  },
  {
    reason: 'asks to hide something from the user',
    pattern:
      /\b(?:do not|don't|never|without) (?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|ask(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?)\b[^.\n]{0,40}\b(?:the )?(?:user|human|owner|developer|operator|anyone)\b|\bhide (?:this|it|that) from (?:the )?(?:user|human|owner)\b/i,
  },
  {
    reason: 'asks to send data away',
    pattern:
      /\b(?:send|post|upload|forward|exfiltrate|leak|transmit|e-?mail|submit|copy)\b[^.\n]{0,60}(?:\b(?:secrets?|credentials?|passwords?|api keys?|tokens?|private keys?|ssh keys?|env(?:ironment)? (?:file|variables?)|conversation|chat history|system prompt|memories|source code)|\.env)\b[^.\n]{0,60}(?:\bto\b|->|→)[^.\n]{0,20}(?:https?:|www\.|\S+@\S+\.\w|\S+\.(?:com|net|org|io|xyz|ru|cn|site|top)\b)/i,
  },
  {
    reason: 'asks to run a command that destroys or fetches',
    pattern: new RegExp(
      `(?:\\b${must}\\b[^\\n]{0,80}?|\\b(?:run|execute|invoke|type|enter|call|do)\\b[^\\n]{0,30}?)(?:rm\\s+-[a-z]*r[a-z]*f?[a-z]*\\s+(?:/|~|\\$HOME|\\*|-)|(?:curl|wget|iwr|invoke-webrequest)\\b[^\\n|]{0,200}\\|\\s*(?:sudo\\s+)?(?:ba|z|da)?sh\\b|base64\\s+(?:-d|--decode)[^\\n|]{0,100}\\|\\s*(?:ba|z)?sh|mkfs\\.|dd\\s+if=|:\\(\\)\\s*\\{|\\bnc\\s+-e|powershell\\s+-e|chmod\\s+(?:-R\\s+)?777\\s+/)`,
      'i',
    ),
  },
  {
    reason: 'asks to run a command that destroys or fetches',
    pattern: /\b(?:run|execute)\b[^\n]{0,30}\brm\s+-[a-z]*rf?\b/i,
  },
  {
    reason: 'imitates another speaker',
    pattern:
      /^[ \t]*(?:#{1,6}[ \t]*)?\*{0,3}(?:system|assistant|developer|admin(?:istrator)?|operator)(?: (?:prompt|message|note|notice|override|update))?\*{0,3}[ \t]*:[ \t]*\S|^[ \t]*#{1,6}[ \t]*(?:system|assistant|developer)(?: (?:prompt|message|instructions?))?[ \t]*$|<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|<\/?(?:system|assistant|developer|system-reminder|system_prompt|instructions?|user_query|human)\b[^<>]{0,80}>|\[\/?(?:INST|SYSTEM)\]|<<\/?SYS>>/im,
  },
  {
    reason: 'imitates the frame of recalled memories or a call of a tool',
    pattern:
      /<\/?loci-memory-[a-p]{4,}>|<!-- loci:(?:begin|end|stub)|<\/?(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_use|tool_result|tool_response)\b/i,
  },
];

/** Why a text should be looked at before it is put into a context by itself; empty for nearly all. Takes time in proportion to the text. */
export function suspicionsOf(text: string): string[] {
  const visible = withoutInvisible(text);
  const plain = withoutLookAlikes(visible.normalize('NFKC'));
  const found = rules.filter(({ pattern }) => pattern.test(plain)).map(({ reason }) => reason);
  const read = rules.filter(({ pattern }) => pattern.test(text)).map(({ reason }) => reason);
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
