import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { errorToResult } from './result.ts';

/** What was thrown as an error of the protocol: prompts and resources have no result that could say it. Our sentence, never another's words. */
export function errorToFailure(error: unknown, logger: Logger, what: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const [first] = errorToResult(error, logger, what).content;
  const { message } = JSON.parse(first?.type === 'text' ? first.text : '{}') as { message: string };
  const isCallers = error instanceof LociError && (error.code === 'invalid_input' || error.code === 'not_found');
  return new ProtocolError(isCallers ? INVALID_PARAMS : INTERNAL_ERROR, message);
}
