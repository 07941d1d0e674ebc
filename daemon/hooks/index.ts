// The door of the hooks room: what agents' hooks ask for, and what they leave behind.
import type { Operation } from '#daemon/kernel/operation.ts';
import { gatherInThread } from '#daemon/transcripts/gather-in-thread.ts';
import type { HookDeps } from './deps.ts';
import { hookOperations } from './hooks.operations.ts';
import { createSpool } from './spool.ts';

export { readFrontMatter } from './front-matter.ts';

export type Hooks = {
  readonly operations: readonly Operation[];
  /** Begins to take in what was left while no daemon ran. */
  start(): void;
  stop(): Promise<void>;
};

export function createHooks(given: Omit<HookDeps, 'gather'> & Partial<Pick<HookDeps, 'gather'>>): Hooks {
  const deps: HookDeps = { gather: gatherInThread, ...given };
  const spool = createSpool(deps);
  return {
    operations: hookOperations(deps, spool),
    start() {
      if (spool.waiting() === 0) return;
      spool.takeIn().catch((err: unknown) => deps.memories.logger.error({ err }, 'the spool could not be taken in'));
    },
    stop: () => spool.stop(),
  };
}
