// From what was said to single statements. What nobody said by themselves goes first: private parts, our own recalled memories, notes of the
// agent's program, code, tables, quotations. Then secrets, before the text is cut, because a key may span lines.
import { redactSecrets } from '#daemon/secrets/redact.ts';
import { withoutProgramText } from './program-text.ts';

export type Statements = { readonly texts: readonly string[]; readonly redactions: number };

/** Of a longer message the beginning and the end are looked at: the middle is pasted matter. */
const maxMessageChars = 64 * 1024;
const minChars = 20;
const maxChars = 420;
const minWords = 4;

export function statementsOf(message: string): Statements {
  const said = withoutProgramText(bounded(message));
  const { text, redactions } = redactSecrets(said);
  return { texts: proseOf(text).flatMap(sentencesOf).filter(isStatement), redactions };
}

/** Cut at line breaks, so that no secret is cut in two and half of it kept. */
function bounded(text: string): string {
  if (text.length <= maxMessageChars) return text;
  const half = maxMessageChars / 2;
  const head = text.slice(0, half);
  const tail = text.slice(-half);
  return `${head.slice(0, head.lastIndexOf('\n') + 1)}\n${tail.slice(tail.indexOf('\n') + 1 || tail.length)}`;
}

/** Paragraphs and items of lists, each in one line. */
function proseOf(text: string): string[] {
  const blocks: string[] = [];
  let open = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    const isOther = line === '' || /^(?:>|\||#{1,6}\s|[-*_=]{3,}$)/.test(line) || /^(?: {4}|\t)/.test(raw);
    if (isOther) open = false;
    else if (/^(?:[-*+•]|\d{1,3}[.)])\s/.test(line)) {
      blocks.push(line.replace(/^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, ''));
      open = true;
    } else if (open) blocks[blocks.length - 1] += ` ${line}`;
    else {
      blocks.push(line);
      open = true;
    }
  }
  return blocks.map((block) =>
    block
      .replace(/\*\*|__|(?<=\s|^)[*_](?=\S)|(?<=\S)[*_](?=\s|$)/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A sentence that gives the reason of the one before it, or is about "it": alone it says nothing. */
const isContinued =
  /^(?:because|since|so that|otherwise|reason:|that'?s (?:why|because)|this (?:is|was) (?:because|why)|it (?:is|was) (?:because|fixed))\b/i;

function sentencesOf(block: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of sentenceSegmenter.segment(block)) {
    const sentence = segment.trim();
    const before = sentences.at(-1);
    const joins =
      before !== undefined && (isContinued.test(sentence) || /\b(?:e\.g|i\.e|etc|vs|cf|no|approx)\.$/i.test(before));
    if (joins && before.length + sentence.length < maxChars) sentences[sentences.length - 1] = `${before} ${sentence}`;
    else sentences.push(sentence);
  }
  return sentences;
}

function isStatement(text: string): boolean {
  if (text.length < minChars || text.length > maxChars) return false;
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return words.length >= minWords && letters > text.length * 0.5;
}
