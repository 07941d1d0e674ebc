import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { Policy } from '#daemon/policies/index.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Database } from '#daemon/storage/sqlite.ts';

/** What every use-case of this room may need. */
export type PlansDeps = {
  readonly database: Database;
  readonly projects: Pick<Projects, 'byIds'>;
  readonly events: Pick<Events, 'announce'>;
  readonly clock: Clock;
  readonly policy: Policy;
};
