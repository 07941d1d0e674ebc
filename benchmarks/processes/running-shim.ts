// `loci mcp` as an agent runs it: JSON-RPC lines over its stdio, written by hand so that no client library is measured along.
import { spawn } from 'node:child_process';
import { clientEnvironment, program } from './program.ts';

export type RunningShim = {
  readonly pid: number;
  /** Milliseconds from its spawn to the answer of `tools/list`. */
  readonly toolsListedMs: number;
  /** Calls a tool; throws when it answers with an error. */
  call(tool: string, input: object): Promise<Record<string, unknown>>;
  kill(): void;
};

type Message = { readonly id?: number; readonly result?: Record<string, unknown>; readonly error?: unknown };

/** Starts a shim, shakes hands as an agent does, and lists the tools. */
export async function startShim(home: string): Promise<RunningShim> {
  const spawnedAtMs = performance.now();
  const child = spawn(process.execPath, [program('loci'), 'mcp'], {
    env: clientEnvironment(home),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (message: Message) => void>();
  let partial = '';
  let lastId = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (partial + chunk).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines) receive(JSON.parse(line) as Message);
  });
  child.stdin.on('error', () => undefined);

  function receive(message: Message): void {
    const resolve = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    resolve?.(message);
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async function request(method: string, params: object): Promise<Record<string, unknown>> {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answered;
    if (result === undefined || result.isError === true)
      throw new Error(`${method}: ${JSON.stringify(error ?? result)}`);
    return result;
  }

  const clientInfo = { name: 'bench', version: '1.0.0' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  await request('tools/list', {});
  const toolsListedMs = performance.now() - spawnedAtMs;

  return {
    pid: child.pid ?? 0,
    toolsListedMs,
    call: async (tool, input) =>
      (await request('tools/call', { name: tool, arguments: input })) as Record<string, unknown>,
    kill: () => void child.kill('SIGKILL'),
  };
}
