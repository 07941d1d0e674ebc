import type { Caller } from '#daemon/kernel/caller.ts';
import type { Operation } from '#daemon/kernel/operation.ts';
import { accessOperations } from './access.operations.ts';
import { createTokenCallers, type TokenCallersDeps } from './token-callers.ts';
import { userOperations } from './users.operations.ts';

export type Users = {
  readonly operations: readonly Operation[];
  /** Whom a token stands for, or null. */
  callerOf(token: string): Promise<Caller | null>;
  close(): void;
};

/** Puts the room together. */
export function createUsers(deps: TokenCallersDeps): Users {
  const callers = createTokenCallers(deps);
  return {
    operations: [...userOperations(deps), ...accessOperations(deps, callers)],
    callerOf: callers.callerOf,
    close: () => callers.close(),
  };
}
