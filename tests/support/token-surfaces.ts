// One daemon reached with one token in each of the ways there are: what a token may do must not depend on the way.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { sendTo } from './http-surface.ts';
import { programEnv, runLoci } from './run-program.ts';
import type { TestDaemon } from './test-daemon.ts';

export type TokenReply = {
  readonly ok: boolean;
  readonly code: string | null;
  readonly output: Record<string, unknown>;
};

export type TokenSurface = {
  readonly name: string;
  /** The operation's answer, or the code of the refusal (the CLI's is made from its words). */
  call(operation: string, input?: object): Promise<TokenReply>;
  /** Names that the surface lists. */
  tools(): Promise<string[]>;
};

/** An operation by the daemon's owner, over the socket. */
export async function asOwner(
  daemon: TestDaemon,
  operation: string,
  input: object = {},
): Promise<Record<string, unknown>> {
  const { status, json } = await sendTo(
    { socketPath: daemon.paths.httpSocket },
    { method: 'POST', path: `/operations/${operation}`, body: input },
  );
  if (status >= 400) throw new Error(`${operation}: ${JSON.stringify(json)}`);
  return json;
}

export async function newToken(daemon: TestDaemon, input: object): Promise<string> {
  return String((await asOwner(daemon, 'create_token', input)).token);
}

export function restOf(daemon: TestDaemon, token: string, over: 'tcp' | 'socket' = 'tcp'): TokenSurface {
  const call = async (operation: string, input: object = {}): Promise<TokenReply> => {
    const target =
      over === 'tcp' ? { host: '127.0.0.1', port: await daemon.port() } : { socketPath: daemon.paths.httpSocket };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status, json } = await sendTo(target, {
      method: 'POST',
      path: `/operations/${operation}`,
      headers,
      body: input,
    });
    return { ok: status < 400, code: status < 400 ? null : String(json.code), output: json };
  };
  return { name: `REST over ${over}`, call, tools: async () => [] };
}

export function mcpHttpOf(daemon: TestDaemon, token: string): TokenSurface {
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const { json } = await sendTo(
      { host: '127.0.0.1', port: await daemon.port() },
      {
        method: 'POST',
        path: '/mcp?tools=all',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: { jsonrpc: '2.0', id: 1, method, params },
      },
    );
    return json;
  };
  return { name: 'MCP over HTTP', ...mcpCalls(ask) };
}

export function mcpLineOf(daemon: TestDaemon, token: string): TokenSurface {
  const ask = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const socket = connect(daemon.paths.mcpSocket);
      createInterface({ input: socket }).on('line', (line) => {
        const message = JSON.parse(line) as Record<string, unknown>;
        if (message.loci !== undefined && message.error === undefined) return;
        resolve(message);
        socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('closed')));
      socket.write(`${JSON.stringify({ loci: 1, token, tools: 'all' })}\n`);
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    });
  return { name: 'MCP lines', ...mcpCalls(ask) };
}

type Rpc = {
  readonly code?: string;
  readonly error?: { code: string };
  readonly result?: { isError?: boolean; content: { text: string }[]; tools: { name: string }[] };
};

function mcpCalls(ask: (method: string, params: object) => Promise<Record<string, unknown>>) {
  const answerOf = (reply: Rpc): TokenReply => {
    const code = reply.code ?? reply.error?.code;
    if (code !== undefined) return { ok: false, code, output: {} };
    const output = JSON.parse(reply.result?.content[0]?.text ?? '{}') as Record<string, unknown>;
    return {
      ok: reply.result?.isError !== true,
      code: reply.result?.isError === true ? String(output.code) : null,
      output,
    };
  };
  return {
    call: async (operation: string, input: object = {}) =>
      answerOf((await ask('tools/call', { name: operation, arguments: input })) as Rpc),
    tools: async () => ((await ask('tools/list', {})) as Rpc).result?.tools.map(({ name }) => name) ?? [],
  };
}

export function cliOf(daemon: TestDaemon, token: string, by: 'flag' | 'environment' = 'flag'): TokenSurface {
  return {
    name: `CLI by ${by}`,
    tools: async () => [],
    async call(operation, input = {}) {
      const { code, stdout, stderr } = await runLoci(
        ['call', operation, '--args', '-', '--json', ...(by === 'flag' ? ['--token', token] : [])],
        {
          env: programEnv(daemon.home, by === 'flag' ? {} : { LOCI_TOKEN: token }),
          stdin: JSON.stringify(input),
          cwd: '/',
        },
      );
      if (code === 0) return { ok: true, code: null, output: JSON.parse(stdout) as Record<string, unknown> };
      const said = /not permitted/.test(stderr)
        ? 'forbidden'
        : /token.*not valid/.test(stderr)
          ? 'unauthorized'
          : stderr;
      return { ok: false, code: said, output: {} };
    },
  };
}

export function everySurfaceOf(daemon: TestDaemon, token: string): TokenSurface[] {
  return [
    restOf(daemon, token),
    restOf(daemon, token, 'socket'),
    mcpHttpOf(daemon, token),
    mcpLineOf(daemon, token),
    cliOf(daemon, token),
    cliOf(daemon, token, 'environment'),
  ];
}
