import { describe, expect, it } from 'vitest';
import { createOllamaEmbedder } from '#daemon/embeddings/ollama.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type Answering, answerJson, startModelServer, vectorOfText } from '../../support/fake-model-server.ts';

const passage = { lane: 'save', purpose: 'passage' } as const;
const query = { lane: 'query', purpose: 'query' } as const;
const limits = { timeoutMs: 5_000, retryDelaysMs: [5, 5] };

const good: Answering = ({ body }, response) =>
  answerJson(response, { embeddings: (body.input ?? []).map((text) => vectorOfText(text, 768)) });

async function setUp(answer: Answering = good, model?: string, timeoutMs = limits.timeoutMs) {
  const server = await startModelServer(answer);
  const clock = createFakeClock();
  const embedder = createOllamaEmbedder(
    { clock, logger: silentLogger },
    { baseUrl: server.url, limits: { ...limits, timeoutMs }, model },
  );
  return { ...server, clock, embedder };
}

describe('Ollama', () => {
  it('is asked at /api/embed for nomic-embed-text with its prefixes, and its vectors come back scaled', async () => {
    const { embedder, asked } = await setUp();
    const [stored] = await embedder.embed(['a text'], passage);
    const [searched] = await embedder.embed(['a question'], query);
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ['/api/embed', { model: 'nomic-embed-text', input: ['search_document: a text'] }],
      ['/api/embed', { model: 'nomic-embed-text', input: ['search_query: a question'] }],
    ]);
    expect(embedder.dimensions).toBe(768);
    expect(Math.hypot(...(stored ?? []))).toBeCloseTo(1, 5);
    expect(searched).toHaveLength(768);
    expect(embedder.state()).toEqual({ status: 'ok' });
  });

  it('gets many texts in batches, and the vectors keep their order', async () => {
    const { embedder, asked } = await setUp();
    const texts = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index + 1));
    const vectors = await embedder.embed(texts, { ...passage, lane: 'bulk' });
    expect(asked.map(({ body }) => body.input?.length)).toEqual([8, 8, 8, 8, 8, 8, 2]);
    const firsts = vectors.map((vector) => vector?.[0] ?? 0);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    expect(new Set(firsts).size).toBe(50);
  });

  it('is not asked twice for one query', async () => {
    const { embedder, asked } = await setUp();
    await embedder.embed(['a question'], query);
    await embedder.embed(['a question'], query);
    expect(asked).toHaveLength(1);
  });

  it('B16 a vector of zeros is null', async () => {
    const { embedder } = await setUp((_, response) => answerJson(response, { embeddings: [new Array(768).fill(0)] }));
    expect(await embedder.embed(['a text'], passage)).toEqual([null]);
  });

  it.each([
    ['too short', { embeddings: [[1, 2, 3]] }],
    ['too few', { embeddings: [] }],
    ['no numbers', { embeddings: [['a']] }],
    ['no vectors', { error: 'input was: my secret memory' }],
    ['null', null],
  ])('refuses an answer that does not fit (%s) and quotes nothing of it', async (_, answer) => {
    const { embedder } = await setUp((_asked, response) => answerJson(response, answer));
    const error = await embedder.embed(['my secret memory'], passage).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect((error as Error).message).not.toContain('secret');
  });

  it('tries again after a failure that may pass', async () => {
    let calls = 0;
    const { embedder, asked } = await setUp((one, response) => {
      calls += 1;
      if (calls < 3) answerJson(response, { error: 'loading' }, 503);
      else good(one, response);
    });
    expect((await embedder.embed(['a text'], passage))[0]).toHaveLength(768);
    expect(asked).toHaveLength(3);
  });

  it('is left alone for a while when it keeps failing, then asked again', async () => {
    const { embedder, asked, current, clock } = await setUp((_, response) => answerJson(response, { error: 'x' }, 500));
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/Ollama at .* failed/);
    expect(asked).toHaveLength(3);
    await expect(embedder.embed(['a text'], passage)).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveLength(3);
    expect(embedder.state()).toMatchObject({ status: 'down' });
    current.answer = good;
    clock.advance(1_000);
    expect((await embedder.embed(['a text'], passage))[0]).toHaveLength(768);
    expect(embedder.state()).toEqual({ status: 'ok' });
  });

  it('says which model to pull when it does not have it', async () => {
    const { embedder, asked } = await setUp(
      (_, response) => answerJson(response, { error: 'not found' }, 404),
      'some-model',
    );
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/ollama pull some-model/);
    expect(asked).toHaveLength(1);
  });

  it('says how to start it when nobody answers', async () => {
    const embedder = createOllamaEmbedder(
      { clock: createFakeClock(), logger: silentLogger },
      { baseUrl: 'http://127.0.0.1:9', limits },
    );
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/cannot be reached.*ollama serve/);
  });

  it('is given up when it does not answer in time', async () => {
    const { embedder } = await setUp(() => undefined, undefined, 100);
    await expect(embedder.embed(['a text'], passage)).rejects.toThrow(/no answer in time/);
  });

  it('is not followed to another address', async () => {
    const other = await startModelServer(good);
    const { embedder } = await setUp((_, response) =>
      response.writeHead(307, { location: `${other.url}/api/embed` }).end(),
    );
    await expect(embedder.embed(['a text'], passage)).rejects.toMatchObject({ code: 'unavailable' });
    expect(other.asked).toHaveLength(0);
  });

  it('teaches the length of the vectors of a model that nobody knows', async () => {
    const { embedder } = await setUp((_, response) => answerJson(response, { embeddings: [[1, 2, 3]] }), 'some-model');
    expect(embedder.dimensions).toBe(0);
    await embedder.warm();
    expect(embedder.dimensions).toBe(3);
  });

  it('stops answering when it is closed, also in the middle of a request', async () => {
    const { embedder } = await setUp(() => undefined);
    const waiting = embedder.embed(['a text'], passage);
    const refused = expect(waiting).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('stopping'),
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await embedder.close();
    await refused;
    expect(embedder.state().status).toBe('down');
  });

  it('gives a caller who gives up the reason at once', async () => {
    const { embedder } = await setUp(() => undefined);
    const given = new AbortController();
    const waiting = embedder.embed(['a text'], { ...passage, signal: given.signal });
    given.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('gets long texts in passages that are the same each time', async () => {
    const { embedder } = await setUp();
    const text = 'A sentence of a long memory about sockets. '.repeat(200);
    const passages = await embedder.split(text);
    expect(passages.length).toBeGreaterThan(5);
    expect(await embedder.split(text)).toEqual(passages);
    expect(await embedder.split('short')).toEqual(['short']);
  });
});
