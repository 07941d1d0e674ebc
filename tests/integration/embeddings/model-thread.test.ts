import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalEmbedder } from '#daemon/embeddings/local-model.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const passage = { lane: 'save', purpose: 'passage' } as const;
const query = { lane: 'query', purpose: 'query' } as const;

function setUp(limits: { runTimeoutMs?: number; loadTimeoutMs?: number } = {}) {
  const folder = tempFolder();
  const clock = createFakeClock();
  const embedder = createLocalEmbedder(
    { clock, logger: silentLogger },
    {
      ...limits,
      modelId: 'fake',
      dimensions: 4,
      workerFile: fileURLToPath(new URL('../../support/fake-model-thread.mjs', import.meta.url)),
      fix: 'mend it.',
      config: {
        modelsFolder: folder,
        name: 'fake',
        dtype: 'q8',
        pooling: 'cls',
        queryPrefix: '',
        passagePrefix: '',
        allowDownload: false,
      },
    },
  );
  onTestFinished(() => embedder.close());
  const starts = (): number => readFileSync(join(folder, 'starts'), 'utf8').split('\n').length - 1;
  return { embedder, clock, folder, starts };
}

describe('the thread of the model', () => {
  it('starts with the first text, not before, and once for many callers', async () => {
    const { embedder, folder, starts } = setUp();
    expect(embedder.state().status).toBe('ok');
    expect(() => readFileSync(join(folder, 'starts'))).toThrow();
    const vectors = await Promise.all(['a', 'bb', 'ccc'].map((text) => embedder.embed([text], passage)));
    expect(vectors.flat()).toHaveLength(3);
    expect(starts()).toBe(1);
    expect(embedder.state()).toEqual({ status: 'ok' });
  });

  it('gives vectors of length one in the order of the texts', async () => {
    const { embedder } = setUp();
    const [a, bbb] = await embedder.embed(['a', 'bbb'], passage);
    expect(a?.[0]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(bbb?.[0]).toBeCloseTo(3 / Math.hypot(3, 1), 6);
  });

  it('B16 a text for which the model gives zeros is null, its neighbours are not', async () => {
    const { embedder } = setUp();
    const [zero, other] = await embedder.embed(['zeros', 'a'], passage);
    expect(zero).toBeNull();
    expect(other).toHaveLength(4);
  });

  it.each(['not finite', 'too long', 'fail'])(
    'refuses a text for which the model goes wrong (%s) and serves the next',
    async (text) => {
      const { embedder, starts } = setUp();
      await expect(embedder.embed([text], passage)).rejects.toMatchObject({ code: 'unavailable' });
      expect((await embedder.embed(['a'], passage))[0]).toHaveLength(4);
      expect(starts()).toBe(1);
    },
  );

  it('starts again after a crash and repeats the text under way', async () => {
    const { embedder, starts } = setUp();
    const [vector, next] = await Promise.all([embedder.embed(['crash once'], passage), embedder.embed(['a'], passage)]);
    expect(vector[0]).toHaveLength(4);
    expect(next[0]).toHaveLength(4);
    expect(starts()).toBe(2);
  });

  it('refuses a text that crashes it twice, and serves those that wait behind it', async () => {
    const { embedder, starts } = setUp();
    const bad = embedder.embed(['crash'], passage);
    const good = embedder.embed(['a'], passage);
    await expect(bad).rejects.toMatchObject({ code: 'unavailable' });
    expect((await good)[0]).toHaveLength(4);
    expect(starts()).toBe(3);
  });

  it('rests when it crashes on text after text, says so, and is tried again when the rest is over', async () => {
    const { embedder, clock, starts } = setUp();
    for (const text of ['crash', 'crash', 'crash', 'crash']) {
      await expect(embedder.embed([text], passage)).rejects.toMatchObject({ code: 'unavailable' });
    }
    const lives = starts();
    expect(embedder.state().status).toBe('down');
    await expect(embedder.embed(['a'], passage)).rejects.toMatchObject({ code: 'unavailable' });
    expect(starts()).toBe(lives);
    clock.advance(60_000);
    expect((await embedder.embed(['a'], passage))[0]).toHaveLength(4);
    expect(embedder.state()).toEqual({ status: 'ok' });
  });

  it('that dies while it loads is tried less and less often', async () => {
    const { embedder, clock, folder, starts } = setUp();
    writeFileSync(join(folder, 'never-load'), '');
    for (let second = 0; second < 60; second += 1) {
      await expect(embedder.embed(['a'], passage)).rejects.toMatchObject({ code: 'unavailable' });
      clock.advance(1_000);
    }
    expect(starts()).toBeLessThanOrEqual(7);
    rmSync(join(folder, 'never-load'));
    clock.advance(60_000);
    expect((await embedder.embed(['a'], passage))[0]).toHaveLength(4);
  });

  it('that hangs is given up, and another takes its place', async () => {
    const { embedder, starts } = setUp({ runTimeoutMs: 150 });
    await expect(embedder.embed(['hang'], passage)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await embedder.embed(['a'], passage))[0]).toHaveLength(4);
    expect(starts()).toBe(3);
  });

  it('is not asked for a query it has answered', async () => {
    const { embedder } = setUp({ runTimeoutMs: 150 });
    const [first] = await embedder.embed(['where is it'], query);
    await embedder.embed(['crash once'], passage);
    const [second] = await embedder.embed(['where is it'], query);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  it('refuses whatever waits when it is closed, quickly', async () => {
    const { embedder } = setUp();
    await embedder.warm();
    const waiting = ['hang', 'a', 'b'].map((text) => embedder.embed([text], passage));
    const refused = Promise.allSettled(waiting);
    const before = performance.now();
    await embedder.close();
    expect(performance.now() - before).toBeLessThan(2_000);
    for (const result of await refused)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    await expect(embedder.embed(['c'], passage)).rejects.toMatchObject({ code: 'unavailable' });
    expect(embedder.state().status).toBe('down');
  });

  it('that fails one text of many leaves none of the others in the queue', async () => {
    const { embedder } = setUp();
    const texts = Array.from({ length: 500 }, (_, index) => (index === 2 ? 'fail' : `text ${index}`));
    await expect(embedder.embed(texts, { ...passage, lane: 'bulk' })).rejects.toMatchObject({ code: 'unavailable' });
    const before = performance.now();
    await embedder.embed(['after'], { ...passage, lane: 'bulk' });
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  it('is left alone by a caller who gives up', async () => {
    const { embedder } = setUp();
    const given = new AbortController();
    const answer = embedder.embed(['a'], { ...passage, signal: given.signal });
    given.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect((await embedder.embed(['b'], passage))[0]).toHaveLength(4);
  });
});
