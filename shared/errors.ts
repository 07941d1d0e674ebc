// The one error model of every surface: a stable code, one sentence that says what to change, and the fields that are wrong.
// HTTP, MCP and the CLI each map the code by a table of their own; nobody ever looks at the text of a message to decide.

export const errorCodes = [
  'invalid_input',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'rejected_by_policy',
  'rate_limited',
  'internal',
  'unavailable',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What is wrong with each field, keyed by the field's path (`memories.2.content`). */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The shape that crosses every wire. */
export type Problem = { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };

/** Thrown where a rule is known to be broken, caught only at the edges; its message is safe to show to an agent. */
export class LociError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'LociError';
    this.code = code;
    this.details = details;
  }
}

/** A refused field: `invalid_input` whose details name the field. */
export function invalidField(field: string, message: string): LociError {
  return new LociError('invalid_input', message, { [field]: message });
}

export function errorToProblem(error: LociError): Problem {
  return { code: error.code, message: error.message, details: error.details };
}

/** Reads a problem back from the wire; anything that is not one becomes `internal`. */
export function problemToError(value: unknown): LociError {
  if (isProblem(value)) return new LociError(value.code, value.message, value.details ?? {});
  return new LociError('internal', 'The daemon gave an answer that this client does not understand.');
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof message === 'string' && errorCodes.some((known) => known === code);
}
