import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { consolidate, fade, look, openFadingStore, save } from '../../support/fading-store.ts';
import type { TestStore } from '../../support/test-store.ts';

type Asked = {
  authorization: string | undefined;
  body: { model: string; messages: { role: string; content: string }[] };
};

/** An OpenAI-compatible endpoint that answers what the test says. */
async function fakeEndpoint(answer: (asked: Asked) => { status?: number; text?: unknown; tokens?: number }) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await read(request)) as Asked['body'];
    const one = { authorization: request.headers.authorization, body };
    asked.push(one);
    const { status = 200, text = '', tokens = 100 } = answer(one);
    response.writeHead(request.url === '/v1/chat/completions' ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { content: text } }], usage: { total_tokens: tokens } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const summary = 'The payments team deploys each service through the pipeline on tuesday mornings.';
const texts = ['before lunch', 'after coffee', 'in small steps'].map(
  (end) => `the payments team deploys every service through the pipeline on tuesday mornings ${end}`,
);

function storeAsking(url: string, more: Record<string, string> = {}): Promise<TestStore> {
  return openFadingStore({
    env: { LOCI_LLM_ENABLED: 'true', LOCI_LLM_BASE_URL: url, LOCI_LLM_MODEL: 'small-1', ...more },
    daemonEnv: { OPENAI_API_KEY: 'key-of-the-test' },
  });
}

async function faded(store: TestStore, given: readonly string[] = texts): Promise<void> {
  for (const text of given) await save(store, text);
  fade(store);
}

const contentOf = async (store: TestStore, id: number | null | undefined) => (await look(store, id as number)).content;

describe('summaries by a language model', () => {
  it('give way to the sentences of the originals that are left when one of them is erased', async () => {
    const { url } = await fakeEndpoint(() => ({ text: summary }));
    const store = await storeAsking(url);
    await faded(store);
    const { created } = await consolidate(store);
    const union = created[0]?.id as number;
    expect(await contentOf(store, union)).toBe(summary);
    expect(await store.call('memory_purge', { id: created[0]?.from[0] })).toMatchObject({ rewritten: [union] });
    expect(await contentOf(store, union)).toBe(texts.slice(1).join('\n'));
  });

  it('replace the united text where the settings ask for one, and the originals stay', async () => {
    const { asked, url } = await fakeEndpoint(() => ({ text: `  ${summary}\n` }));
    const store = await storeAsking(url);
    await faded(store);
    expect((await consolidate(store, { dry_run: true })).created).toMatchObject([{ by: 'summary' }]);
    expect(asked).toEqual([]);
    const { created, archived } = await consolidate(store);
    expect(created).toMatchObject([{ by: 'summary' }]);
    expect(archived).toHaveLength(3);
    expect(await contentOf(store, created[0]?.id)).toBe(summary);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ authorization: 'Bearer key-of-the-test', body: { model: 'small-1' } });
    expect(JSON.parse(asked[0]?.body.messages.at(-1)?.content ?? '')).toEqual(texts);
  });

  it('are never asked for because a key is in the environment', async () => {
    const { asked, url } = await fakeEndpoint(() => ({ text: summary }));
    const store = await openFadingStore({
      env: { LOCI_LLM_BASE_URL: url, LOCI_LLM_MODEL: 'small-1' },
      daemonEnv: { OPENAI_API_KEY: 'key-of-the-test' },
    });
    await faded(store);
    const { created } = await consolidate(store);
    expect(await contentOf(store, created[0]?.id)).toBe(texts.join('\n'));
    expect(asked).toEqual([]);
  });

  it('are never asked for where two texts differ in a number or a "not": all sentences are kept', async () => {
    const { asked, url } = await fakeEndpoint(() => ({ text: summary }));
    const store = await storeAsking(url);
    const differing = [`${texts[0]} on port 8080`, `${texts[0]} on port 8081`, `${texts[0]} but not on port 8080`];
    await faded(store, differing);
    const { created } = await consolidate(store);
    expect(await contentOf(store, created[0]?.id)).toBe(differing.join('\n'));
    expect(asked).toEqual([]);
  });

  it.each([
    ['is longer than two sentences', `${summary} More. And more.`],
    ['says a number that nobody said', summary.replace('.', ' at 9.')],
    ['is empty', '   '],
    ['is no text', { a: 1 }],
    ['holds a NUL', `${summary}\u0000`],
    ['looks like a secret', `password = "hunter2-Zq8rT4xLw9"`],
  ])('are thrown away where the answer %s', async (_what, text) => {
    const { asked, url } = await fakeEndpoint(() => ({ text }));
    const store = await storeAsking(url);
    await faded(store);
    const { created } = await consolidate(store);
    expect(asked).toHaveLength(1);
    expect(created).toMatchObject([{ by: 'merge' }]);
    expect(await contentOf(store, created[0]?.id)).toBe(texts.join('\n'));
  });

  it.each([401, 429, 500])(
    'are off for a while after %i: the clusters that follow are united without a question',
    async (status) => {
      const { asked, url } = await fakeEndpoint(() => ({ status }));
      const store = await storeAsking(url);
      for (const project of ['one', 'two', 'three']) {
        for (const text of texts) await save(store, text, { project });
      }
      fade(store);
      const { created } = await consolidate(store);
      expect(created.map(({ by }) => by)).toEqual(['merge', 'merge', 'merge']);
      expect(asked).toHaveLength(1);
    },
  );

  it('spend no more than the tokens of the day', async () => {
    const { asked, url } = await fakeEndpoint(() => ({ text: summary, tokens: 900 }));
    const store = await storeAsking(url, { LOCI_LLM_DAILY_TOKENS: '1200' });
    for (const project of ['one', 'two', 'three']) {
      for (const text of texts) await save(store, text, { project });
    }
    fade(store);
    const { created } = await consolidate(store);
    expect(created.map(({ by }) => by)).toEqual(['summary', 'merge', 'merge']);
    expect(asked).toHaveLength(1);
    for (const text of texts) await save(store, text, { project: 'four' });
    fade(store);
    expect((await consolidate(store, { project: 'four' })).created).toMatchObject([{ by: 'summary' }]);
  });

  it('are never sent in the clear to another machine', async () => {
    const store = await storeAsking('http://llm.example.test/v1');
    await faded(store);
    expect((await consolidate(store, { dry_run: true })).created).toMatchObject([{ by: 'merge' }]);
  });
});
