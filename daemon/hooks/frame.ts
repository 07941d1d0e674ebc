// Memory that goes into an agent's context by itself was written by whoever: a page an agent once read may have put it there. So it
// stands in a frame whose delimiter is new for each call and cannot be written beforehand, says that it is data, and each line of it is
// quoted: no heading, no tag and no delimiter inside begins a line of its own, and control characters are shown, not obeyed.
import { randomBytes } from 'node:crypto';
import { withoutInvisible } from '#daemon/trust/suspicious-text.ts';

export type Quoted = {
  /** What the reader must know of it: `[42] decision · project storefront · …`. */
  readonly label: string;
  readonly text: string;
};

/** Frames what was recalled. `lead` says what it is. */
export function frameMemories(lead: string, memories: readonly Quoted[]): string {
  const tag = newTag(memories);
  const blocks = memories.map(({ label, text }) => `${oneLine(label)}\n${quote(text)}`);
  return [`<${tag}>`, lead, ...blocks, `</${tag}>`].join('\n');
}

/** A list in a frame: one line a memory. */
export function frameLines(lead: string, memories: readonly Quoted[]): string {
  const tag = newTag(memories);
  return [
    `<${tag}>`,
    lead,
    ...memories.map(({ label, text }) => `${oneLine(label)} ${oneLine(text)}`),
    `</${tag}>`,
  ].join('\n');
}

const letters = 'abcdefghijklmnop';

/** Letters alone, so that every tag counts the same number of tokens. */
function newTag(memories: readonly Quoted[]): string {
  for (;;) {
    const tag = `loci-memory-${Array.from(randomBytes(12), (byte) => letters[byte % letters.length]).join('')}`;
    if (!memories.some(({ label, text }) => label.includes(tag) || text.includes(tag))) return tag;
  }
}

function quote(text: string): string {
  return safe(text)
    .split('\n')
    .map((line) => `| ${line}`.trimEnd())
    .join('\n');
}

function oneLine(text: string): string {
  return safe(text).replace(/\s*\n\s*/g, ' ⏎ ');
}

const controls = /(?![\n\t])[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
/** Tags by which agents tell the model who speaks, and our own. */
const speakingTags =
  /<(?=\/?(?:loci|system|assistant|user|human|developer|instructions?|function|tool|context|antml)\b)/gi;

function safe(text: string): string {
  return withoutInvisible(text.toWellFormed())
    .replace(/\r\n?/g, '\n')
    .replace(controls, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(speakingTags, '‹')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
