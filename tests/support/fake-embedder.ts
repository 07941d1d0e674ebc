// A deterministic embedder, a real implementation of our interface: each word has a fixed random direction, a text is the sum of its
// words, so that texts which share words are near and others are not. Words may be declared synonyms to test search by meaning.
import { type Embedder, splitThenEmbed } from '#daemon/embeddings/embedder.ts';
import { LociError } from '#shared/errors.ts';

export type FakeEmbedderOptions = {
  readonly dimensions?: number;
  readonly modelId?: string;
  /** Words that share one direction: `[['car', 'automobile']]`. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Texts for which the model gives zeros. */
  readonly zeros?: readonly string[];
};

export type FakeEmbedder = Embedder & {
  readonly calls: { text: string; lane: string; purpose: string }[];
  fail(why: string | null): void;
};

export function createFakeEmbedder(options: FakeEmbedderOptions = {}): FakeEmbedder {
  const dimensions = options.dimensions ?? 384;
  const calls: FakeEmbedder['calls'] = [];
  const canonical = new Map((options.synonyms ?? []).flatMap((words) => words.map((word) => [word, words[0] ?? word])));
  let failure: string | null = null;

  const embedder: FakeEmbedder = {
    modelId: options.modelId ?? `fake-${dimensions}`,
    dimensions,
    calls,
    fail(why) {
      failure = why;
    },
    async embed(texts, { lane, purpose }) {
      if (failure !== null) throw new LociError('unavailable', failure);
      return texts.map((text) => {
        calls.push({ text, lane, purpose });
        return options.zeros?.includes(text) === true ? null : vectorOf(text, dimensions, canonical);
      });
    },
    async split(text) {
      const words = text.split(/\s+/).filter(Boolean);
      if (words.length <= 180) return [text];
      const passages: string[] = [];
      for (let start = 0; start < words.length; start += 150) passages.push(words.slice(start, start + 180).join(' '));
      return passages;
    },
    embedFirst: (text, lane) => splitThenEmbed(embedder, text, lane),
    async warm() {},
    state: () => (failure === null ? { status: 'ok' } : { status: 'down', why: failure }),
    async close() {},
  };
  return embedder;
}

function vectorOf(text: string, dimensions: number, canonical: ReadonlyMap<string, string>): Float32Array | null {
  const sum = new Float32Array(dimensions);
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const random = seeded(canonical.get(word) ?? word);
    for (let index = 0; index < dimensions; index += 1) sum[index] = (sum[index] as number) + random() - 0.5;
  }
  const norm = Math.hypot(...sum);
  return norm === 0 ? null : sum.map((value) => value / norm);
}

/** Mulberry32 over a hash of the word: the same numbers on every machine. */
function seeded(word: string): () => number {
  let state = 2166136261;
  for (const char of word) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
