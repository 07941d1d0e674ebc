// The surfaces of a real daemon for the table of cases: REST by route, REST by name, MCP lines over the socket, and the CLI.
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { contracts } from '#shared/contract/index.ts';
import { problemToError } from '#shared/errors.ts';
import {
  createNamedRestSurface,
  createRestSurface,
  errorToAnswer,
  type OpenSurface,
  type Surface,
  type SurfaceName,
} from './contract-surfaces.ts';
import { runCliAgainstDaemon } from './run-cli.ts';
import { type ProgramOptions, type ProgramRun, programEnv, runLoci } from './run-program.ts';
import { startTestDaemon, type TestDaemon } from './test-daemon.ts';

/** Every surface, each over a new empty daemon. */
export const daemonSurfaces: Record<SurfaceName, OpenSurface> = daemonSurfacesWith({});

/** The same over daemons with settings, which are given as the environment gives them. */
export function daemonSurfacesWith(env: Record<string, string>): Record<SurfaceName, OpenSurface> {
  const start = () => startTestDaemon({ env });
  let runLine: RunLine = runLoci;
  return {
    rest: async () => createRestSurface((await start()).paths.httpSocket, contracts),
    'rest by name': async () => createNamedRestSurface((await start()).paths.httpSocket),
    mcp: async () => createMcpSurface(await start()),
    cli: async () => {
      const surface = createCliSurface(await start(), runLine);
      runLine = runCliAgainstDaemon;
      return surface;
    },
  };
}

type RunLine = (args: readonly string[], options: ProgramOptions) => Promise<ProgramRun>;

type RpcReply = {
  id?: number;
  result?: { isError?: boolean; structuredContent?: unknown; content: { text: string }[] };
  error?: { message: string };
};

/** Speaks MCP as an agent's client does, a line a message. */
async function createMcpSurface(daemon: TestDaemon): Promise<Surface> {
  const socket = connect(daemon.paths.mcpSocket);
  const replies = new Map<number, (reply: RpcReply) => void>();
  createInterface({ input: socket }).on('line', (line) => {
    const reply = JSON.parse(line) as RpcReply;
    if (reply.id !== undefined) replies.get(reply.id)?.(reply);
  });
  let lastId = 0;
  const ask = (method: string, params: unknown): Promise<RpcReply> =>
    new Promise((resolve) => {
      lastId += 1;
      replies.set(lastId, resolve);
      write(socket, { jsonrpc: '2.0', id: lastId, method, params });
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'contract-test', version: '1' },
  });
  write(socket, { jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    name: 'mcp',
    async call(operation, input) {
      const { result, error } = await ask('tools/call', {
        name: 'execute_tool',
        arguments: { tool_name: operation, arguments: input },
      });
      if (result === undefined) throw new Error(`JSON-RPC error: ${error?.message}`);
      const output = JSON.parse(result.content[0]?.text ?? 'null') as unknown;
      return result.isError === true ? errorToAnswer(problemToError(output)) : { ok: true, output };
    },
  };
}

function write(socket: Socket, message: unknown): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** The first case of a file walks through the built program as a process; the others through the same entry, in this process. */
function createCliSurface({ home }: TestDaemon, run: RunLine): Surface {
  return {
    name: 'cli',
    async call(operation, input) {
      const args = ['call', operation, '--args', '-', '--json', '--yes'];
      const { code, stdout, stderr } = await run(args, {
        env: programEnv(home),
        stdin: JSON.stringify(input),
        cwd: '/',
      });
      if (code === 0) return { ok: true, output: JSON.parse(stdout) };
      const message = /error: (.*)/.exec(stderr)?.[1] ?? stderr;
      return { ok: false, code: null, details: null, message, exitCode: code ?? -1 };
    },
  };
}
