// One way from a tool's name to an operation, whichever name and whichever profile: a tool that is not listed is callable all the same.
import type { CallToolResult, JSONRPCRequest } from '@modelcontextprotocol/server';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { Contract } from '#shared/contract/operation.ts';
import { invalidParamsCode, type RpcError } from './json-rpc.ts';
import { metaToolNamed } from './meta-tool-contracts.ts';
import { discoverTools, howToUseTool, readExecution } from './meta-tools.ts';
import { errorToResult, outputToResult } from './result.ts';

export type CallToolDeps = {
  /** Every operation, also while the store that carries them out is still being opened. */
  readonly contracts: readonly Contract[];
  readonly invoke: Invoke;
  readonly logger: Logger;
};

/** Runs a tool by name; never throws: a problem is a result with `isError`. */
export async function callTool(
  deps: CallToolDeps,
  name: string,
  input: unknown,
  context: CallContext,
): Promise<CallToolResult> {
  try {
    return outputToResult(await run(deps, name, input, context));
  } catch (error) {
    return errorToResult(error, deps.logger, name);
  }
}

async function run(deps: CallToolDeps, name: string, input: unknown, context: CallContext): Promise<unknown> {
  const metaDeps = { contracts: deps.contracts, scopes: context.scopes };
  switch (metaToolNamed(name)) {
    case 'discover_tools':
      return discoverTools(metaDeps, input);
    case 'how_to_use_tool':
      return howToUseTool(metaDeps, input);
    case 'execute_tool': {
      const execution = readExecution(input);
      return run(deps, execution.tool, execution.arguments, context);
    }
    default:
      return deps.invoke(name, input, context);
  }
}

/**
 * Judges the parameters of `tools/call` before the SDK does, whose refusals speak of its own schemas.
 * Arguments that came as a text of JSON are read; what is no object is refused with −32602.
 */
export function readToolCall(request: JSONRPCRequest): { request: JSONRPCRequest } | { error: RpcError } {
  if (request.method !== 'tools/call') return { request };
  const params: Record<string, unknown> = request.params ?? {};
  if (typeof params.name !== 'string') return refuse(request, '`name` must be the name of a tool.');
  if (params.arguments === undefined || params.arguments === null) {
    return { request: { ...request, params: { ...params, arguments: {} } } };
  }
  const given = typeof params.arguments === 'string' ? parseObject(params.arguments) : params.arguments;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse(request, '`arguments` must be a JSON object of named fields.');
  }
  return { request: { ...request, params: { ...params, arguments: given } } };
}

function refuse({ id }: JSONRPCRequest, message: string): { error: RpcError } {
  return { error: { id, code: invalidParamsCode, message } };
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
