// Vectors for a store that is only measured for speed: 100,000 texts take seconds instead of an hour. Each word has a direction of its own
// and a text is the sum of its words plus what all texts share, so that cosines lie where the model's do. They bear the bundled
// model's id, so that the daemon takes them for its own.
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { seededRandom } from './developer-texts.ts';

/** What every text has in common: the model's cosines of unrelated texts are about .6. */
const sharedWeight = 4;

export function createQuickEmbedder({ modelId, dimensions }: Pick<Embedder, 'modelId' | 'dimensions'>): Embedder {
  const directions = new Map<string, Float32Array>();
  const shared = directionOf('the direction of all texts');

  function directionOf(word: string): Float32Array {
    const known = directions.get(word);
    if (known !== undefined) return known;
    let seed = 2166136261;
    for (const character of word) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16777619);
    const random = seededRandom(seed);
    const made = Float32Array.from({ length: dimensions }, () => random() - 0.5);
    directions.set(word, made);
    return made;
  }

  function vectorOf(text: string): Float32Array {
    const sum = shared.map((value) => value * sharedWeight);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const direction = directionOf(word);
      for (let at = 0; at < dimensions; at += 1) sum[at] = (sum[at] as number) + (direction[at] as number);
    }
    const norm = Math.hypot(...sum);
    return sum.map((value) => value / norm);
  }

  return {
    modelId,
    dimensions,
    embed: async (texts) => texts.map(vectorOf),
    split: async (text) => [text],
    embedFirst: async (text) => ({ passages: [text], vector: vectorOf(text) }),
    async warm() {},
    state: () => ({ status: 'ok' }),
    async close() {},
  };
}
