import { describe, expect, it } from 'vitest';
import { createEmbedder, settleProvider } from '#daemon/embeddings/create-embedder.ts';
import { ollamaHostToUrl } from '#daemon/embeddings/ollama.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { answerJson, startModelServer } from '../../support/fake-model-server.ts';

const nobody = 'http://127.0.0.1:9';

describe('the provider that auto means', () => {
  it('is Ollama when it answers, whatever keys there are', async () => {
    const { url } = await startModelServer((_, response) => answerJson(response, { version: '0.9.0' }));
    expect(await settleProvider({ env: { OLLAMA_HOST: url, OPENAI_API_KEY: 'key' } })).toBe('ollama');
    expect(await settleProvider({ baseUrl: url, env: {} })).toBe('ollama');
  });

  it('is OpenAI when there is a key and no Ollama, else the bundled model', async () => {
    expect(await settleProvider({ baseUrl: nobody, env: { OPENAI_API_KEY: 'key' } })).toBe('openai');
    expect(await settleProvider({ baseUrl: nobody, env: { OPENAI_API_KEY: ' ' } })).toBe('bundled');
    expect(await settleProvider({ baseUrl: nobody, env: {} })).toBe('bundled');
  });

  it('is not Ollama when something else answers there', async () => {
    const { url } = await startModelServer((_, response) => response.end('<html>hello</html>'));
    expect(await settleProvider({ env: { OLLAMA_HOST: url } })).toBe('bundled');
  });
});

describe('the embedder of the settings', () => {
  const deps = { clock: createFakeClock(), logger: silentLogger };
  const settings = { modelsFolder: 'models', env: { OPENAI_API_KEY: 'key' } };

  it('is created without loading or asking anything', async () => {
    const made = (['bundled', 'ollama', 'openai'] as const).map((provider) =>
      createEmbedder(deps, { provider, ...settings }),
    );
    expect(made.map(({ dimensions }) => dimensions)).toEqual([384, 768, 1536]);
    expect(new Set(made.map(({ modelId }) => modelId)).size).toBe(3);
    for (const embedder of made) {
      expect(embedder.state().status).toBe('ok');
      await embedder.close();
    }
  });

  it('tells two folders of one name apart, and knows one folder again however it is written', async () => {
    const made = ['/models/en/tuned', '/models/de/tuned', '/models/de/../de/tuned/'].map((model) =>
      createEmbedder(deps, { provider: 'huggingface', model, ...settings }),
    );
    const [en, de, again] = made.map(({ modelId }) => modelId);
    expect(de).not.toBe(en);
    expect(again).toBe(de);
    for (const embedder of made) await embedder.close();
  });

  it('needs a model for huggingface', () => {
    expect(() => createEmbedder(deps, { provider: 'huggingface', ...settings })).toThrow(/'embedding\.model'/);
  });
});

describe('OLLAMA_HOST', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['box:1234', 'http://box:1234'],
    [':1234', 'http://127.0.0.1:1234'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['http://0.0.0.0:11434', 'http://127.0.0.1:11434'],
    ['https://models.example.org/ollama/', 'https://models.example.org/ollama'],
    ['::: no', undefined],
  ])('%s means %s', (host, url) => {
    expect(ollamaHostToUrl(host)).toBe(url);
  });
});
