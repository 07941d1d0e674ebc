// The edge where an outcome becomes what an agent reads. A problem goes out as a result, not as a protocol error, because hosts show
// results to the model, which can then do as the sentence says. Anything but a LociError is ours to look into: logged whole under an
// id, shown as one sentence with that id, so that no stack, path or library text reaches an agent.
import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Logger } from '#daemon/kernel/logger.ts';
import { type ErrorCode, errorToProblem, LociError } from '#shared/errors.ts';

/** The answer of an operation as a tool result: JSON as text, and the same as structured content. */
export function outputToResult(output: unknown): CallToolResult {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
  return {
    content: [{ type: 'text', text }],
    ...(isRecord(output) ? { structuredContent: output } : {}),
  };
}

/** What was thrown as a tool result with `isError`. */
export function errorToResult(error: unknown, logger: Logger, tool: string): CallToolResult {
  const known = error instanceof LociError ? error : internalError(error, logger, tool);
  logger[logLevels[known.code]]({ tool, code: known.code }, 'a tool call was refused');
  return { ...outputToResult(errorToProblem(known)), isError: true };
}

/** How loud a refusal is in the log: what a caller does wrong is no concern of the daemon's owner. */
const logLevels = {
  invalid_input: 'debug',
  unauthorized: 'warn',
  forbidden: 'warn',
  not_found: 'debug',
  conflict: 'debug',
  payload_too_large: 'debug',
  unsupported_media_type: 'debug',
  rejected_by_policy: 'info',
  rate_limited: 'info',
  internal: 'error',
  unavailable: 'warn',
} as const satisfies Record<ErrorCode, 'debug' | 'info' | 'warn' | 'error'>;

function internalError(error: unknown, logger: Logger, tool: string): LociError {
  const logId = randomBytes(4).toString('hex');
  logger.error({ err: error, tool, log_id: logId }, 'a tool call failed');
  return new LociError('internal', `Something went wrong inside Loci: see \`loci logs\` for ${logId}.`, {
    log_id: logId,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
