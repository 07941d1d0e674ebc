import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledModel, bundledWeights, createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { bundledModelsFolder } from '#daemon/embeddings/installed-files.ts';
import { problemOfModel } from '#daemon/embeddings/model-files.ts';
import { systemClock } from '#daemon/kernel/clock.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';

const passage = { lane: 'save', purpose: 'passage' } as const;
const query = { lane: 'query', purpose: 'query' } as const;

let embedder: Embedder;
beforeAll(() => {
  embedder = createBundledEmbedder({ clock: systemClock, logger: silentLogger });
});
afterAll(() => embedder.close());

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

async function vectorOf(text: string, options: typeof passage | typeof query = passage): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], options);
  if (vector === null || vector === undefined) throw new Error('no vector');
  return vector;
}

describe('the bundled model', () => {
  it('is whole, and its id carries its weights', () => {
    const folder = join(bundledModelsFolder(), bundledModel);
    expect(problemOfModel(folder)).toBeNull();
    const { files } = JSON.parse(readFileSync(join(folder, 'checksums.json'), 'utf8'));
    expect(files['onnx/model_quantized.onnx'].sha256.startsWith(bundledWeights)).toBe(true);
    expect(embedder.modelId).toContain(bundledWeights);
  });

  it('gives 384 numbers of length one, the same ones alone and among others', async () => {
    const texts = ['We use Kysely over SQLite.', 'The cat sat on the mat.', 'Releases happen on Tuesdays.'];
    const together = await embedder.embed(texts, passage);
    for (const [index, text] of texts.entries()) {
      const alone = await vectorOf(text);
      expect(alone).toHaveLength(embedder.dimensions);
      expect(Math.hypot(...alone)).toBeCloseTo(1, 5);
      expect(together[index]).toEqual(alone);
    }
  });

  it('puts a paraphrase nearer than another subject', async () => {
    const pairs = [
      ['We chose PostgreSQL because we need transactions.', 'Why did we pick that database?'],
      ['The login page fails on Safari when cookies are blocked.', 'browser problem with signing in'],
      ['Deployments run every Friday at noon.', 'On which day do we deploy?'],
      ['Use tabs, never spaces, in Go files.', 'indentation style'],
      ['The cache is dropped after ten minutes.', 'How long are results remembered?'],
    ] as const;
    const stored = await Promise.all(pairs.map(([text]) => vectorOf(text)));
    for (const [index, [, question]] of pairs.entries()) {
      const asked = await vectorOf(question, query);
      const scores = stored.map((vector) => cosine(asked, vector));
      expect(scores.indexOf(Math.max(...scores))).toBe(index);
    }
  });

  it('is asked as its authors say: first token, length one, a prefix for queries alone', async () => {
    const text = 'We use Kysely over SQLite.';
    const known = [
      [passage, [-0.0669, -0.0394, -0.0038, 0.0228]],
      [query, [-0.0554, -0.0378, -0.0149, 0.052]],
    ] as const;
    for (const [options, expected] of known) {
      const vector = await vectorOf(text, options);
      // processors round int8 products a little differently
      for (const [index, value] of expected.entries())
        expect(Math.abs((vector[index] ?? 0) - value)).toBeLessThan(0.01);
    }
  });

  it('prefixes a query and not a passage, and a query equal to a text stays near it', async () => {
    const text = 'The daemon holds a lock in the data folder.';
    const similarity = cosine(await vectorOf(text), await vectorOf(text, query));
    expect(similarity).toBeGreaterThan(0.85);
    expect(similarity).toBeLessThan(0.999);
  });

  it('reads of a text that is too long its first passage alone', async () => {
    const head = Array.from({ length: 400 }, (_, index) => `word${index % 50}`).join(' ');
    const long = await vectorOf(`${head} and an end about something else entirely, such as whales`);
    expect(cosine(long, await vectorOf(`${head} and an end about bicycles`))).toBeCloseTo(1, 6);
  });

  it('embeds 20,000 characters in the time of one passage', async () => {
    await vectorOf('warm');
    const before = performance.now();
    await vectorOf('All the words of a very long memory. '.repeat(540));
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it.each(['', '   \n\t', '\u200b\u200b', '\u0000', '👩‍👩‍👧', '\ud800'])(
    'gives a vector or null, never an error, for %j',
    async (text) => {
      const [vector] = await embedder.embed([text], passage);
      if (vector !== null) expect(vector?.every(Number.isFinite)).toBe(true);
    },
  );

  it('keeps the main thread free while it works', async () => {
    await embedder.warm();
    let longestMs = 0;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const texts = Array.from({ length: 12 }, (_, index) => `sentence ${index} about sockets and locks `.repeat(25));
    await embedder.embed(texts, { ...passage, lane: 'bulk' });
    clearInterval(timer);
    expect(longestMs).toBeLessThan(200);
  });

  it('serves a query in the middle of bulk work', async () => {
    await embedder.warm();
    const texts = Array.from({ length: 60 }, (_, index) => `sentence ${index} about sockets and locks `.repeat(25));
    let isBulkDone = false;
    const bulk = embedder.embed(texts, { ...passage, lane: 'bulk' }).then(() => {
      isBulkDone = true;
    });
    await vectorOf('which lock guards the socket', query);
    expect(isBulkDone).toBe(false);
    await bulk;
  });

  it('ends its thread in the middle of a run without ending the process', async () => {
    const other = createBundledEmbedder({ clock: systemClock, logger: silentLogger });
    await other.warm();
    const running = other.embed(
      Array.from({ length: 20 }, () => 'a long text '.repeat(80)),
      passage,
    );
    const refused = expect(running).rejects.toMatchObject({ code: 'unavailable' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await other.close();
    await refused;
  });
});
