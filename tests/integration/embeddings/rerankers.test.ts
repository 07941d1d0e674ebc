// The two ways to have hits ordered again: a server, and a model in a thread of this process.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReranker } from '#daemon/embeddings/create-reranker.ts';
import { createHttpReranker } from '#daemon/embeddings/http-reranker.ts';
import { createLocalReranker } from '#daemon/embeddings/local-reranker.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { readSettings } from '#shared/read-settings.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type Answering, answerJson, startModelServer } from '../../support/fake-model-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { writeTinyCrossEncoder } from '../../support/tiny-cross-encoder.ts';

const deps = () => ({ clock: createFakeClock(), logger: silentLogger });
const byLength = (texts: readonly string[]) =>
  texts.map((text, index) => ({ index, relevance_score: text.length / 10 })).reverse();

const cohere: Answering = ({ body }, response) => {
  const { documents } = body as { documents?: string[] };
  if (documents === undefined) answerJson(response, { message: 'documents?' }, 422);
  else answerJson(response, { results: byLength(documents) });
};
const inference: Answering = ({ body }, response) => {
  const { texts } = body as { texts?: string[] };
  if (texts === undefined) answerJson(response, { error: 'texts?' }, 422);
  else
    answerJson(
      response,
      byLength(texts).map(({ index, relevance_score }) => ({ index, score: relevance_score })),
    );
};

describe('a reranker on a server', () => {
  it.each([
    ['of the shape of Cohere and Jina', cohere, 1],
    ['of text-embeddings-inference, known from its first answer on', inference, 2],
  ])('%s gives scores in the order of the texts', async (_, answer, requests) => {
    const server = await startModelServer(answer);
    const reranker = createHttpReranker(deps(), { url: server.url, model: 'm', key: 'a key' });
    expect(await reranker.score('q', ['aaaa', 'b', 'cc'])).toEqual([0.4, 0.1, 0.2]);
    expect(await reranker.score('q', ['x'])).toEqual([0.1]);
    expect(server.asked).toHaveLength(requests + 1);
    expect(server.asked[0]).toMatchObject({
      method: 'POST',
      path: '/rerank',
      headers: { authorization: 'Bearer a key' },
      body: { query: 'q', model: 'm' },
    });
  });

  it.each([
    ['fails', (_: unknown, response: Parameters<Answering>[1]) => answerJson(response, {}, 500), 1],
    ['refuses the key', (_: unknown, response: Parameters<Answering>[1]) => answerJson(response, {}, 401), 1],
    ['scores too few', (_: unknown, response: Parameters<Answering>[1]) => answerJson(response, { results: [] }), 4],
  ])('that %s makes it unavailable, and what the server said stays there', async (_, answer, requests) => {
    const server = await startModelServer(answer);
    const reranker = createHttpReranker(deps(), { url: `${server.url}/v1/rerank`, model: null, key: null });
    for (let round = 0; round < 2; round += 1) {
      await expect(reranker.score('q', ['a', 'b'])).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('hits keep the order of the search'),
      });
    }
    // after a failure of the server it is left alone for a while
    expect(server.asked).toHaveLength(requests);
  });

  it('gets no key over a network in the clear', () => {
    expect(() => createHttpReranker(deps(), { url: 'http://rerank.example', model: null, key: 'k' })).toThrow(/https/);
  });
});

describe('a reranker in this process', () => {
  it('reads question and text as one pair, and scores between 0 and 1', async () => {
    const modelsFolder = tempFolder();
    writeTinyCrossEncoder(join(modelsFolder, 'tiny'));
    const reranker = createLocalReranker(deps(), { model: 'tiny', modelsFolder });
    onTestFinished(() => reranker.close());
    const scores = await reranker.score('best question', ['good', 'poor', 'best', 'better best']);
    const order = scores.map((score, index) => [score, index] as const).sort(([a], [b]) => b - a);
    expect(order.map(([, index]) => index)).toEqual([3, 2, 0, 1]);
    // words 6 and the separator 3, a tenth of their sum through the logistic function
    expect(scores[0]).toBeCloseTo(1 / (1 + Math.exp(-0.9)), 5);
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
  });

  it('that is not there is unavailable, and the file is named', async () => {
    const modelsFolder = tempFolder();
    writeTinyCrossEncoder(join(modelsFolder, 'tiny'));
    rmSync(join(modelsFolder, 'tiny', 'tokenizer.json'));
    const reranker = createLocalReranker(deps(), { model: 'tiny', modelsFolder });
    onTestFinished(() => reranker.close());
    await expect(reranker.score('q', ['a'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/'tokenizer.json' of the reranking model 'tiny' is missing/),
    });
  });
});

describe('the settings of reranking', () => {
  const settingsOf = (env: Record<string, string>) => readSettings({ file: null, env, flags: {} }).values;

  it('are off unless a provider is named, and a provider without its model or address is refused', () => {
    const where = { modelsFolder: '/nowhere' };
    expect(createReranker(deps(), settingsOf({}), where)).toBeNull();
    expect(createReranker(deps(), settingsOf({ LOCI_RERANK_MODEL: 'm' }), where)).toBeNull();
    expect(() => createReranker(deps(), settingsOf({ LOCI_RERANK_PROVIDER: 'local' }), where)).toThrow(/rerank.model/);
    expect(() => createReranker(deps(), settingsOf({ LOCI_RERANK_PROVIDER: 'http' }), where)).toThrow(/rerank.url/);
  });
});
