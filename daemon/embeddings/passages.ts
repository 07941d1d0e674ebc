// Splits a long text into passages that a model reads whole. Models cut what is too long without a word, so the end of a long
// memory would be unfindable; and two rules in two lanes would give one text two sets of vectors. Hence one pure rule, which
// depends on the text and the model's own token counts alone:
// whole words; as many passages as needed, of about equal length (a short last passage has a vague vector); neighbours share
// about 32 tokens, so that a sentence on a border is whole in one of them; a word that fills a passage alone is cut between graphemes.

/** Tokens of one text, without the model's special ones. */
export type CountTokens = (text: string) => number;

type Unit = { readonly start: number; readonly end: number; readonly tokens: number };

/** The longest passage, special tokens and prefix included. */
export const maxPassageTokens = 256;

const overlapTokens = 32;
/** `[CLS]` and `[SEP]`, the longest prefix for passages, and a margin. */
const reservedTokens = 10;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * True when no tokenizer can make more than a passage of the text: a token covers at least one byte of UTF-8.
 * (Words that a tokenizer expands, as some ligatures, are cut in the worker.) False says nothing.
 */
export function isSurelyShort(text: string): boolean {
  return text.length <= maxPassageTokens && Buffer.byteLength(text) <= maxPassageTokens - reservedTokens;
}

/** Substrings of the text in order, each of at most `budget` tokens (unless it is a single grapheme), which together cover it. */
export function splitIntoPassages(text: string, countTokens: CountTokens, budget: number): string[] {
  return passagesOf(text, countTokens, budget).map(({ start, end }) => text.slice(start, end));
}

export type Passage = { readonly start: number; readonly end: number };

/** Where the passages lie in the text, in UTF-16 units. */
export function passagesOf(text: string, countTokens: CountTokens, budget: number): Passage[] {
  if (countTokens(text) <= budget) return [{ start: 0, end: text.length }];
  const units = [...unitsOf(text, countTokens, budget)];
  const total = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const overlap = Math.min(overlapTokens, Math.floor(budget / 4));
  const count = Math.max(1, Math.ceil((total - overlap) / (budget - overlap)));
  const target = Math.ceil((total + (count - 1) * overlap) / count);

  const passages: Passage[] = [];
  let first = 0;
  let covered = 0; // units that a passage holds already: each passage goes beyond them
  while (covered < units.length) {
    const range = fillPassage(text, units, { first, covered, target, budget, countTokens });
    passages.push(placeOf(units, range));
    covered = range.last + 1;
    first = firstOfNext(units, range, overlap);
  }
  return passages;
}

/** The longest beginning of whole words that fits; what the model would cut anyway, cut at a word. */
export function cutToBudget(text: string, countTokens: CountTokens, budget: number): string {
  let tokens = 0;
  let end = 0;
  for (const unit of unitsOf(text, countTokens, budget)) {
    tokens += unit.tokens;
    if (tokens > budget) break;
    end = unit.end;
  }
  return text.slice(0, end);
}

type Range = { readonly first: number; readonly last: number };

type Filling = {
  readonly first: number;
  readonly covered: number;
  readonly target: number;
  readonly budget: number;
  readonly countTokens: CountTokens;
};

/** The units from `first` on that reach the target without passing the budget, always beyond what is covered. */
function fillPassage(
  text: string,
  units: readonly Unit[],
  { covered, target, budget, countTokens, ...from }: Filling,
): Range {
  const tokensAt = (range: Range): number => {
    const { start, end } = placeOf(units, range);
    return countTokens(text.slice(start, end));
  };
  let { first } = from;
  let last = first;
  let tokens = tokensOf(units, first);
  while (last + 1 < units.length && tokens < target && tokens + tokensOf(units, last + 1) <= budget) {
    last += 1;
    tokens += tokensOf(units, last);
  }
  last = Math.max(last, covered);
  // some tokenizers count words together otherwise than apart, so the whole passage has the last word
  while (tokensAt({ first, last }) > budget && last > first) {
    if (last > covered) last -= 1;
    else first += 1;
  }
  return { first, last };
}

/** Goes back from the end of a passage by the overlap at most, and never to its beginning. */
function firstOfNext(units: readonly Unit[], { first, last }: Range, overlap: number): number {
  let next = last + 1;
  let tokens = 0;
  while (next - 1 > first && tokens + tokensOf(units, next - 1) <= overlap) {
    next -= 1;
    tokens += tokensOf(units, next);
  }
  return next;
}

/** Words with the white space after them; a word over an eighth of the budget comes in pieces. */
function* unitsOf(text: string, countTokens: CountTokens, budget: number): Generator<Unit> {
  const counts = new Map<string, number>();
  const count = (piece: string): number => {
    const known = counts.get(piece);
    if (known !== undefined) return known;
    const tokens = countTokens(piece);
    counts.set(piece, tokens);
    return tokens;
  };
  const largest = Math.max(1, Math.floor(budget / 8));
  let start = 0;
  for (const end of wordEnds(text)) {
    const word = text.slice(start, end);
    const tokens = count(word.trimEnd());
    if (tokens <= largest) yield { start, end, tokens };
    else yield* piecesOf(word, start, count, largest);
    start = end;
  }
}

/** Positions after each run of white space (and the end), where no grapheme is cut: a space may carry a combining mark. */
function* wordEnds(text: string): Generator<number> {
  for (const match of text.matchAll(/\s+(?=\S)/g)) {
    const end = match.index + match[0].length;
    if (isGraphemeStart(text, end)) yield end;
  }
  if (text.length > 0) yield text.length;
}

function isGraphemeStart(text: string, position: number): boolean {
  if (text.charCodeAt(position) < 0x80) return true;
  const [head] = graphemes.segment(text.slice(position - 1, position + 2));
  return head?.segment.length === 1;
}

/** Groups of graphemes of at most `largest` tokens, so that scripts without spaces and long identifiers split evenly. */
function* piecesOf(word: string, offset: number, count: CountTokens, largest: number): Generator<Unit> {
  let start = 0;
  let atMost = 0; // graphemes counted one by one make at least as many tokens as together
  for (const { segment, index } of graphemes.segment(word)) {
    const more = segment.trim() === '' ? 0 : Math.max(1, count(segment));
    if (atMost + more > largest && index > start) {
      const together = count(word.slice(start, index));
      if (together + more > largest * 0.75) {
        yield { start: offset + start, end: offset + index, tokens: together };
        start = index;
        atMost = 0;
      } else atMost = together;
    }
    atMost += more;
  }
  yield { start: offset + start, end: offset + word.length, tokens: count(word.slice(start)) };
}

function placeOf(units: readonly Unit[], { first, last }: Range): Passage {
  return { start: units[first]?.start ?? 0, end: units[last]?.end ?? 0 };
}

function tokensOf(units: readonly Unit[], index: number): number {
  return units[index]?.tokens ?? 0;
}
