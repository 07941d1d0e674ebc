import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { Database } from '#daemon/storage/sqlite.ts';

export type UserDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Pick<Events, 'announce'>;
};
