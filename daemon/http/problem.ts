// Errors on the HTTP wire: RFC 9457 problem+json with the code, message and details of the one error model.
// Whatever is no LociError is a fault of ours: logged whole under a log id, shown as one sentence that names the id.
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Logger } from '#daemon/kernel/logger.ts';
import { type ErrorCode, LociError } from '#shared/errors.ts';

export const statusByCode = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rejected_by_policy: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

export type ProblemReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Seconds after which a caller may try again. */
const retryAfterSeconds: Partial<Record<ErrorCode, number>> = { unavailable: 5, rate_limited: 60 };

/** The reply for a known error. */
export function problemReply(known: LociError): ProblemReply {
  const status = statusByCode[known.code];
  const retryAfter = retryAfterSeconds[known.code];
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(known.code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="loci"' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: known.message,
      code: known.code,
      message: known.message,
      details: known.details,
    }),
  };
}

/** The response for anything thrown; an unexpected error is logged here, once, with `where` to find it by. */
export function errorToResponse(error: unknown, logger: Logger, where: string): Response {
  return problemResponse(error instanceof LociError ? error : hidden(error, logger, where));
}

/** The same reply as a web `Response`. */
export function problemResponse(known: LociError): Response {
  const { status, headers, body } = problemReply(known);
  return new Response(body, { status, headers });
}

function hidden(error: unknown, logger: Logger, where: string): LociError {
  const logId = randomBytes(6).toString('hex');
  logger.error({ err: error, log_id: logId, where }, 'a request failed inside');
  return new LociError('internal', `Something failed inside Loci; its log tells more under the id ${logId}.`, {
    log_id: logId,
  });
}
