// The model behind the real agents: a server on loopback that speaks their four wire formats and answers as the prompt's script says.
// It is their proxy too, which reaches nothing: what an agent wanted of the outside is noted and refused, so that a test can say
// that none of its words left the machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { anthropicMessages } from './dialects/anthropic-messages.ts';
import type { Body, Dialect, StreamEvent } from './dialects/dialect.ts';
import { gemini } from './dialects/gemini.ts';
import { openaiChat } from './dialects/openai-chat.ts';
import { openaiResponses } from './dialects/openai-responses.ts';
import { type Conversation, nextReply, type Reply } from './script.ts';

/** One request of an agent to its model, and the answer. */
export type Turn = {
  readonly dialect: string;
  readonly conversation: Conversation;
  readonly reply: Reply;
  readonly body: Body;
};

export type ModelServer = {
  readonly port: number;
  /** Every turn so far, oldest first. */
  readonly turns: readonly Turn[];
  /** `host:port` of everything that was asked of the proxy. */
  readonly outside: readonly string[];
  /** Runs before each answer goes out; null for nothing. */
  beforeReply: ((turn: Turn) => Promise<void>) | null;
  close(): Promise<void>;
};

const dialects = [anthropicMessages, openaiResponses, openaiChat, gemini];

export async function startModelServer(): Promise<ModelServer> {
  const turns: Turn[] = [];
  const outside: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.on('connect', (request, socket: Socket) => {
    outside.push(request.url ?? '');
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = await readBody(request);
    const dialect = dialects.find(({ accepts }) => accepts(path));
    if (path.startsWith('http:')) {
      outside.push(new URL(path).host);
      response.writeHead(403).end();
    } else if (dialect === undefined) {
      response.writeHead(404).end();
    } else {
      const conversation = dialect.read(body);
      const turn = { dialect: dialect.name, conversation, reply: nextReply(conversation), body };
      turns.push(turn);
      await model.beforeReply?.(turn);
      send(response, dialect, path, turn);
    }
  }

  const model: ModelServer = {
    port: (server.address() as AddressInfo).port,
    turns,
    outside,
    beforeReply: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Body;
  } catch {
    return {};
  }
}

function send(response: ServerResponse, dialect: Dialect, path: string, { reply, body }: Turn): void {
  if (dialect.isStream(path, body)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(dialect.stream(reply, body).map(eventText).join(''));
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dialect.whole(reply, body)));
  }
}

function eventText({ type, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${type === null ? '' : `event: ${type}\n`}data: ${text}\n\n`;
}
