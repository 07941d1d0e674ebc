// The third of the three tables over the one error model (the others: HTTP status, MCP result). Scripts branch on these numbers,
// so they are part of the contract and never change.
import type { ErrorCode, LociError } from '#shared/errors.ts';

export const exitOk = 0;
export const exitUnexpected = 1;
export const exitBadInput = 2;
export const exitUnreachable = 5;
export const exitInterrupted = 130;

const exitCodes = {
  invalid_input: exitBadInput,
  unauthorized: exitUnexpected,
  forbidden: exitUnexpected,
  not_found: 3,
  conflict: 4,
  payload_too_large: exitUnexpected,
  unsupported_media_type: exitUnexpected,
  rejected_by_policy: exitUnexpected,
  rate_limited: exitUnexpected,
  internal: exitUnexpected,
  unavailable: exitUnexpected,
} satisfies Record<ErrorCode, number>;

/** The exit code for an error: 5 only where no daemon answered at all, not where one answered that it cannot. */
export function exitCodeOf(error: LociError): number {
  if (error.code === 'unavailable' && error.details.reachable === false) return exitUnreachable;
  return exitCodes[error.code];
}
