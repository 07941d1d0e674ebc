// An HTTP server that answers as `locid` does, on the Unix socket of a temporary home: what the command line sends is seen, what it
// is told is chosen, and no daemon needs to be built.

import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { errorToProblem, LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { atEnd } from './at-end.ts';
import { tempFolder } from './temp-folder.ts';

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type FakeHttpDaemon = { readonly home: string; readonly seen: readonly SeenRequest[] };

/** Starts it; `answer` gives the output of an operation, or throws the `LociError` to be answered. The end of the test stops it. */
export async function startFakeHttpDaemon(
  answer: (operation: string, input: Record<string, unknown>) => unknown,
): Promise<FakeHttpDaemon> {
  const home = tempFolder();
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = request;
    seen.push({ method, path: url, headers, body });
    respond(response, url, body, answer);
  });
  await new Promise<void>((resolve) => server.listen(join(home, 'run', 'loci.sock'), resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { home, seen };
}

function respond(
  response: ServerResponse,
  url: string,
  body: string,
  answer: (operation: string, input: Record<string, unknown>) => unknown,
): void {
  const send = (status: number, type: string, text: string): void => {
    response.writeHead(status, { 'content-type': type, 'loci-version': version });
    response.end(text);
  };
  if (url === '/health') {
    send(200, 'application/json', '{"status":"ok"}');
    return;
  }
  if (url === '/memories/instructions') {
    send(200, 'text/markdown', '# Memory\n');
    return;
  }
  try {
    const output = answer(url.replace('/operations/', ''), JSON.parse(body) as Record<string, unknown>);
    send(200, 'application/json', JSON.stringify(output));
  } catch (error) {
    const known = error instanceof LociError ? error : new LociError('internal', String(error));
    const problem = { type: 'about:blank', title: known.code, status: 400, ...errorToProblem(known) };
    send(400, 'application/problem+json', JSON.stringify(problem));
  }
}
