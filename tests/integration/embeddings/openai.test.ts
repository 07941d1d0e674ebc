import { describe, expect, it } from 'vitest';
import { createOpenaiEmbedder } from '#daemon/embeddings/openai.ts';
import { type Logger, silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type Answering, answerJson, startModelServer, vectorOfText } from '../../support/fake-model-server.ts';

const passage = { lane: 'save', purpose: 'passage' } as const;
const limits = { timeoutMs: 5_000, retryDelaysMs: [5, 5] };
const key = 'key-that-nobody-may-see';

/** Answers in the reverse order: the index counts, not the place. */
const good: Answering = ({ body }, response) =>
  answerJson(response, {
    data: (body.input ?? []).map((text, index) => ({ index, embedding: vectorOfText(text, 1536) })).reverse(),
  });

async function setUp(answer: Answering = good, env: NodeJS.ProcessEnv = { OPENAI_API_KEY: key }) {
  const server = await startModelServer(answer);
  const logged: unknown[] = [];
  const logger: Logger = Object.assign(Object.create(silentLogger), {
    warn: (...fields: unknown[]) => logged.push(fields),
  });
  const clock = createFakeClock();
  const embedder = createOpenaiEmbedder({ clock, logger }, { baseUrl: `${server.url}/v1/`, env, limits });
  return { ...server, embedder, logged, clock };
}

describe('an OpenAI-compatible server', () => {
  it('is asked at <base>/embeddings with the key, and vectors are put in order by their index', async () => {
    const { embedder, asked } = await setUp();
    const [short, long] = await embedder.embed(['a', 'abcdefghij'], passage);
    expect(asked[0]?.path).toBe('/v1/embeddings');
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(asked[0]?.body).toEqual({ model: 'text-embedding-3-small', input: ['a', 'abcdefghij'] });
    expect(short?.[0]).toBeLessThan(long?.[0] ?? 0);
    expect(embedder.dimensions).toBe(1536);
  });

  it.each([401, 403])(
    'says which variable to check when the key is refused (%d), once, and shows neither key nor answer',
    async (status) => {
      const { embedder, asked, logged } = await setUp((_, response) =>
        answerJson(response, { error: `bad key ${key}` }, status),
      );
      const error = await embedder.embed(['my secret memory'], passage).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('OPENAI_API_KEY') });
      expect(asked).toHaveLength(1);
      const shown = JSON.stringify([(error as Error).message, embedder.state(), logged]);
      expect(shown).not.toContain(key);
      expect(shown).not.toContain('secret');
      expect(shown).not.toContain('bad key');
    },
  );

  it('waits as long as a busy server asks, within bounds', async () => {
    let calls = 0;
    const { embedder } = await setUp((one, response) => {
      calls += 1;
      if (calls > 1) return good(one, response);
      response.writeHead(429, { 'retry-after': '0.2' }).end('{}');
    });
    const before = performance.now();
    await embedder.embed(['a'], passage);
    expect(performance.now() - before).toBeGreaterThan(150);
  });

  it('without a key is degraded from the start and says how to give one; a key that comes is used', async () => {
    const env: NodeJS.ProcessEnv = {};
    const embedder = createOpenaiEmbedder({ clock: createFakeClock(), logger: silentLogger }, { env, limits });
    expect(embedder.state()).toMatchObject({ status: 'degraded', why: expect.stringContaining('OPENAI_API_KEY') });
    await expect(embedder.embed(['a'], passage)).rejects.toThrow(/needs a key.*OPENAI_API_KEY/);
    env.OPENAI_API_KEY = key;
    expect(embedder.state().why ?? '').not.toContain(key);
  });

  it('on this machine needs no key', async () => {
    const { embedder, asked } = await setUp(good, {});
    expect((await embedder.embed(['a'], passage))[0]).toHaveLength(1536);
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  it('may have its key under another name', async () => {
    const server = await startModelServer(good);
    const embedder = createOpenaiEmbedder(
      { clock: createFakeClock(), logger: silentLogger },
      { baseUrl: server.url, keyName: 'MY_KEY', env: { MY_KEY: key, OPENAI_API_KEY: 'another' }, limits },
    );
    await embedder.embed(['a'], passage);
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each([
    'http://models.example.org/v1',
    'ftp://models.example.org',
    'not a url',
    'https://name:word@models.example.org',
  ])('is refused at once when its address cannot be used safely: %s', (baseUrl) => {
    const create = () => createOpenaiEmbedder({ clock: createFakeClock(), logger: silentLogger }, { baseUrl, env: {} });
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
