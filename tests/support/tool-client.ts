// An agent's view of a daemon: MCP over the raw socket, one tool call after another.
import { connectRaw } from './mcp-client.ts';
import { callTool, initialize, initialized } from './shim.ts';
import { startTestDaemon, type TestDaemon } from './test-daemon.ts';

export type ToolAnswer = { readonly isError: boolean; readonly json: Record<string, unknown> };

export type ToolClient = {
  /** Calls a tool as an agent does and answers what came, refusal or not. */
  call(tool: string, input?: object): Promise<ToolAnswer>;
  /** Runs an operation by the meta-tool, under the older catalogue's name of it; a refusal is thrown. */
  execute<Output = Record<string, unknown>>(operation: string, input?: object): Promise<Output>;
  readonly daemon: TestDaemon;
};

/** Starts a daemon and connects to it. */
export async function connectToolClient(env: Record<string, string> = {}, greeting?: object): Promise<ToolClient> {
  const daemon = await startTestDaemon({ env });
  const client = await connectRaw(daemon.paths.mcpSocket);
  if (greeting !== undefined) client.send({ loci: 1, ...greeting });
  client.send(initialize(0));
  client.send(initialized);
  await client.answer(0);
  let id = 0;
  const call = async (tool: string, input: object = {}): Promise<ToolAnswer> => {
    id += 1;
    client.send(callTool(id, tool, input));
    const { result } = (await client.answer(id)) as {
      result: { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
    };
    const text = result.content[0]?.text ?? '{}';
    return { isError: result.isError === true, json: JSON.parse(text) };
  };
  return {
    call,
    async execute<Output>(operation: string, input: object = {}) {
      const { isError, json } = await call('execute_forgetful_tool', { tool_name: operation, arguments: input });
      if (isError) throw new Error(`${operation}: ${json.code} ${json.message}`);
      return json as Output;
    },
    daemon,
  };
}
