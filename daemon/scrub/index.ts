// The door of the scrub room: a look through everything that is stored.
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { scrub } from '#shared/contract/trust.ts';
import { type ScrubDeps, scrubStore } from './scrub.ts';

export function scrubOperations(deps: ScrubDeps): Operation[] {
  return [implement(scrub, async ({ dry_run: dryRun }) => scrubStore(deps, { dryRun }))];
}
