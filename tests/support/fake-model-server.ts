// A small HTTP server in the place of Ollama or OpenAI: keeps what it was asked and answers as a test says.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { model?: string; input?: string[] };
};

export type Answering = (asked: Asked, response: ServerResponse) => void;

/** Starts on a free port; ends with the test. `answer` may be replaced at any time. */
export async function startModelServer(answer: Answering) {
  const asked: Asked[] = [];
  const current = { answer };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    asked.push(one);
    current.answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, current };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A vector that tells its text: the length of it, then ones. */
export function vectorOfText(text: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, index) => (index === 0 ? text.length : 1));
}
