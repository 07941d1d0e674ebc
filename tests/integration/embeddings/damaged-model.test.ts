import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundledModel, createBundledEmbedder } from '#daemon/embeddings/bundled.ts';
import { createHuggingfaceEmbedder } from '#daemon/embeddings/huggingface.ts';
import { bundledModelsFolder } from '#daemon/embeddings/installed-files.ts';
import { type Logger, silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const passage = { lane: 'save', purpose: 'passage' } as const;
const weights = join('onnx', 'model_quantized.onnx');

/** A copy of the bundled model that a test may damage, and a count of the attempts to load it. */
function setUp() {
  const modelsFolder = tempFolder();
  const folder = join(modelsFolder, bundledModel);
  cpSync(join(bundledModelsFolder(), bundledModel), folder, { recursive: true });
  const clock = createFakeClock();
  const refusals: unknown[] = [];
  const logger: Logger = Object.assign(Object.create(silentLogger), {
    error: (fields: unknown) => refusals.push(fields),
  });
  const embedder = createBundledEmbedder({ clock, logger }, { modelsFolder });
  onTestFinished(() => embedder.close());
  const mend = (file: string): void =>
    copyFileSync(join(bundledModelsFolder(), bundledModel, file), join(folder, file));
  return { folder, modelsFolder, clock, embedder, refusals, mend };
}

describe('a model whose files are damaged', () => {
  it('B47 a truncated model is named with the fix, is not loaded again and again, and works once it is mended', async () => {
    const { folder, clock, embedder, refusals, mend } = setUp();
    truncateSync(join(folder, weights), 1_000_000);
    const refused = {
      code: 'unavailable',
      message: expect.stringMatching(/'model_quantized\.onnx'.*cut short.*installing Loci again/),
    };
    await expect(embedder.embed(['a text'], passage)).rejects.toMatchObject(refused);
    expect(embedder.state()).toMatchObject({ status: 'down', why: expect.stringContaining('model_quantized.onnx') });
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60_000);
      await expect(embedder.embed(['a text'], passage)).rejects.toMatchObject(refused);
    }
    expect(refusals).toHaveLength(1);

    mend(weights);
    clock.advance(1_000);
    expect((await embedder.embed(['a text'], passage))[0]).toHaveLength(384);
    expect(embedder.state()).toEqual({ status: 'ok' });
  });

  it('B47 a model that is still being written is looked at seldom, and used when it is whole', async () => {
    const { folder, clock, embedder, refusals } = setUp();
    const whole = readFileSync(join(folder, weights));
    writeFileSync(join(folder, weights), '');
    const step = Math.ceil(whole.length / 120);
    for (let second = 0; second < 119; second += 1) {
      appendFileSync(join(folder, weights), whole.subarray(second * step, (second + 1) * step));
      await expect(embedder.embed(['a text'], passage)).rejects.toMatchObject({ code: 'unavailable' });
      clock.advance(1_000);
    }
    expect(refusals.length).toBeLessThanOrEqual(8);
    appendFileSync(join(folder, weights), whole.subarray(119 * step));
    clock.advance(60_000);
    expect((await embedder.embed(['a text'], passage))[0]).toHaveLength(384);
  });

  it('B47 a model of the right size with other bytes is noticed', async () => {
    const { folder, embedder } = setUp();
    const bytes = readFileSync(join(folder, weights));
    bytes.fill(0, 10_000_000, 10_000_100);
    writeFileSync(join(folder, weights), bytes);
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/'model_quantized\.onnx'.*is damaged/);
  });

  it('is named by the file that is missing, and by no path', async () => {
    const { folder, modelsFolder, embedder } = setUp();
    rmSync(join(folder, 'tokenizer.json'));
    const error = await embedder.embed(['a text'], passage).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/'tokenizer\.json'.*is missing/),
    });
    expect(JSON.stringify([(error as Error).message, embedder.state()])).not.toContain(modelsFolder);
  });

  it('of another origin, without checksums, is refused with the file that cannot be read', async () => {
    const modelsFolder = tempFolder();
    const folder = join(modelsFolder, 'my-model');
    cpSync(join(bundledModelsFolder(), bundledModel), folder, { recursive: true });
    rmSync(join(folder, 'checksums.json'));
    truncateSync(join(folder, weights), 500_000);
    const embedder = createHuggingfaceEmbedder(
      { clock: createFakeClock(), logger: silentLogger },
      { model: 'my-model', modelsFolder },
    );
    onTestFinished(() => embedder.close());
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(
      /'model_quantized\.onnx'.*cannot be read as a model/,
    );
  });
});

describe('a model folder of the user', () => {
  it('is used with the pooling, the prefixes and the length of its own', async () => {
    const modelsFolder = tempFolder();
    cpSync(join(bundledModelsFolder(), bundledModel), join(modelsFolder, 'a model (mine), übung'), { recursive: true });
    const deps = { clock: createFakeClock(), logger: silentLogger };
    const named = createHuggingfaceEmbedder(deps, { model: 'a model (mine), übung', modelsFolder });
    const known = createHuggingfaceEmbedder(deps, { model: join(bundledModelsFolder(), bundledModel), modelsFolder });
    const bundled = createBundledEmbedder(deps);
    onTestFinished(async () => {
      for (const embedder of [named, known, bundled]) await embedder.close();
    });
    const [[mean], [cls], [reference]] = (await Promise.all(
      [named, known, bundled].map((embedder) => embedder.embed(['a text of a few words'], passage)),
    )) as [(Float32Array | null)[], (Float32Array | null)[], (Float32Array | null)[]];
    expect(cls).toEqual(reference);
    expect(mean).toHaveLength(384);
    expect(mean).not.toEqual(reference);
    expect(named.dimensions).toBe(384);
    expect(new Set([named.modelId, known.modelId, bundled.modelId]).size).toBe(3);
  });

  it('that is not there is refused with what belongs there, and asks no network', async () => {
    const modelsFolder = tempFolder();
    mkdirSync(join(modelsFolder, 'empty'));
    const embedder = createHuggingfaceEmbedder(
      { clock: createFakeClock(), logger: silentLogger },
      { model: 'empty', modelsFolder },
    );
    onTestFinished(() => embedder.close());
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/'config\.json'.*is missing.*embedding\.model/);
  });
});
