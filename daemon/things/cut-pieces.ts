// A long text is embedded passage by passage. A kind that knows the make-up of its texts (the headings of a document) gives pieces,
// each with what stands above it; a passage never crosses a piece, and is embedded with that lead, because "it is set to 7 days" alone
// would be found by nobody who asks for the retention of Kafka.

/** Cuts a text into overlapping passages that the model reads whole. */
export type Split = (text: string) => Promise<string[]>;

export type Piece = {
  readonly text: string;
  /** Embedded before each passage of the piece; short, or the model would cut the passage's end. */
  readonly lead?: string;
  /** Headings above the piece, outermost first. */
  readonly headings?: readonly string[];
  /** Where in the thing's body `text` begins, in UTF-16 units; below zero where `text` begins with more than the body. */
  readonly startAt?: number;
};

/** A passage: what is embedded, and where it stands. `startAt` and `endAt` are UTF-16 units of the body. */
export type Passage = {
  readonly text: string;
  readonly headings: readonly string[];
  readonly startAt: number;
  readonly endAt: number;
};

/** A tokenizer reads this much at a time, so that a search does not wait behind megabytes. */
const blockLength = 50_000;

/** All passages of the pieces, in order. */
export async function cutPieces(pieces: readonly Piece[], split: Split): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const piece of pieces) {
    for (const block of blocksOf(piece.text)) passages.push(...passagesOf(piece, block, await split(block.text)));
  }
  return passages;
}

/** The first passage, and whether it is the only one. Reads no more of a long text than a passage can hold. */
export async function firstPassage(
  pieces: readonly Piece[],
  split: Split,
): Promise<{ readonly passage: Passage; readonly isOnly: boolean }> {
  const [piece = { text: '' }] = pieces;
  const [head = { text: '', at: 0 }, ...more] = blocksOf(piece.text, firstLength);
  const parts = await split(head.text);
  const [passage = { text: head.text, headings: [], startAt: 0, endAt: 0 }] = passagesOf(piece, head, parts);
  return { passage, isOnly: pieces.length <= 1 && more.length === 0 && parts.length <= 1 };
}

/** More characters than 256 tokens have in any script but the very wordy ones. */
const firstLength = 4_000;

export type Block = { readonly text: string; readonly at: number };

/** The text in blocks of at most `length`, cut after a line or a word where there is one in the second half. */
export function blocksOf(text: string, length = blockLength): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (text.length - at > length) {
    const end = cutBefore(text, at + length, at + length / 2);
    blocks.push({ text: text.slice(at, end), at });
    at = end;
  }
  blocks.push({ text: text.slice(at), at });
  return blocks.filter((block, index) => index === 0 || block.text.trim() !== '');
}

function cutBefore(text: string, end: number, least: number): number {
  // no farther back than `least`: a text without a line end would be looked through from its beginning for each block
  const near = text.slice(least, end);
  const line = near.lastIndexOf('\n');
  if (line >= 0) return least + line + 1;
  const space = near.lastIndexOf(' ');
  if (space >= 0) return least + space + 1;
  // never between the halves of a surrogate pair
  return /[\uDC00-\uDFFF]/.test(text[end] ?? '') ? end - 1 : end;
}

function passagesOf(piece: Piece, block: Block, parts: readonly string[]): Passage[] {
  const base = (piece.startAt ?? 0) + block.at;
  let from = 0;
  return parts.map((part) => {
    // a splitter answers parts of the text in order; where one does not, the place is a guess
    const found = block.text.indexOf(part, from);
    const start = found === -1 ? from : found;
    from = found === -1 ? from : found + 1;
    const text = piece.lead === undefined || piece.lead === '' ? part : `${piece.lead}\n${part}`;
    return {
      text,
      headings: piece.headings ?? [],
      startAt: Math.max(0, base + start),
      endAt: Math.max(0, base + start + part.length),
    };
  });
}
