import type { Operation } from './operation.ts';

/** Every operation of this daemon by name. The adapters are loops over it. */
export type Registry = {
  get(name: string): Operation | undefined;
  names(): readonly string[];
  all(): readonly Operation[];
};

/** Throws when two operations share a name: that is a mistake in the house, not in a call. */
export function createRegistry(operations: readonly Operation[]): Registry {
  const byName = new Map<string, Operation>();
  for (const operation of operations) {
    const { name } = operation.contract;
    if (byName.has(name)) throw new Error(`two operations are named ${name}`);
    byName.set(name, operation);
  }
  return { get: (name) => byName.get(name), names: () => [...byName.keys()], all: () => [...byName.values()] };
}
