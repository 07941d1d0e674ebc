import { AutoTokenizer, env } from '@huggingface/transformers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledModel, createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { bundledModelsFolder } from '#daemon/embeddings/installed-files.ts';
import { isSurelyShort } from '#daemon/embeddings/passages.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';

let embedder: Embedder;
let tokensOf: (text: string) => number;

beforeAll(async () => {
  embedder = createBundledEmbedder({ clock: systemClock, logger: silentLogger });
  env.allowRemoteModels = false;
  env.localModelPath = bundledModelsFolder();
  const tokenizer = await AutoTokenizer.from_pretrained(bundledModel);
  tokensOf = (text) => tokenizer.encode(text).length;
});
afterAll(() => embedder.close());

const word = fc.oneof(
  fc.constantFrom(
    'the',
    'daemon',
    'socket',
    'Straße',
    '記憶',
    'ไทย',
    '👩‍👩‍👧',
    'naïve',
    'getElementById',
    '한국어',
    '[SEP]',
    'ﷺ',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.webUrl(),
);
const longText = fc.array(word, { minLength: 100, maxLength: 1_200 }).map((words) => words.join(' '));

describe('passages of the bundled model', () => {
  it('hold at most 256 tokens each by the tokenizer itself, special ones included, and cover the text', async () => {
    await fc.assert(
      fc.asyncProperty(longText, async (text) => {
        const passages = await embedder.split(text);
        for (const passage of passages) expect(tokensOf(passage)).toBeLessThanOrEqual(256);
        let reach = 0;
        for (const passage of passages) {
          const start = text.lastIndexOf(passage, reach);
          expect(start).toBeGreaterThanOrEqual(0);
          reach = Math.max(reach, start + passage.length);
        }
        expect(text.endsWith(passages.at(-1) ?? '-')).toBe(true);
        expect(
          passages.map((passage) => passage.length).reduce((sum, length) => sum + length, 0),
        ).toBeGreaterThanOrEqual(text.length);
      }),
      { numRuns: 40 },
    );
  });

  it('are one for a text that needs no split, however it is counted', async () => {
    const text = 'Words that a model knows well make few tokens. '.repeat(20);
    expect(tokensOf(text)).toBeLessThanOrEqual(256);
    expect(isSurelyShort(text)).toBe(false);
    expect(await embedder.split(text)).toEqual([text]);
  });

  it('are not asked for where a text is surely short, and then it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 260 }), fc.string({ unit: 'grapheme', maxLength: 260 })),
        async (text) => {
          fc.pre(isSurelyShort(text));
          expect(tokensOf(text)).toBeLessThanOrEqual(256);
          expect(await embedder.split(text)).toEqual([text]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of the longest memory there can be are made within a moment, in any script', async () => {
    for (const text of [
      '記憶系統'.repeat(5_000),
      'x'.repeat(20_000),
      'a b '.repeat(5_000),
      '...---'.repeat(3_333),
      '\n'.repeat(20_000),
    ]) {
      const before = performance.now();
      const passages = await embedder.split(text);
      expect(performance.now() - before).toBeLessThan(5_000);
      for (const passage of passages) expect(tokensOf(passage)).toBeLessThanOrEqual(256);
    }
  });
});
