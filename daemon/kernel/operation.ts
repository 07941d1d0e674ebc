// An operation is a contract with its implementation. `implement` ties them; the registry holds them; `invoke` is the only door.
import type { Contract, OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import type { CallContext } from './context.ts';

export type Operation = {
  readonly contract: Contract;
  readonly handle: (input: never, context: CallContext) => Promise<unknown>;
};

/** Ties a handler to its contract; the handler gets parsed input and must answer what the contract promises. */
export function implement<C extends Contract>(
  contract: C,
  handle: (input: ParsedInputOf<C>, context: CallContext) => Promise<OutputOf<C>>,
): Operation {
  return { contract, handle: handle as Operation['handle'] };
}
