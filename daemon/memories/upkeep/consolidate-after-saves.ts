// Consolidation follows the writing: ten saves bring a run, a moment later so that the call which saved is answered first, and not
// more than one a minute, so that an import of thousands does not bring hundreds. Only counted here: if the daemon ends meanwhile
// nothing is lost, because the daily run looks at the same memories.
import type { Timers } from '#daemon/jobs/index.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Events } from '#daemon/kernel/events.ts';

export type AfterSavesDeps = {
  readonly events: Events;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Starts the job; must neither throw nor wait. */
  readonly run: () => void;
};

const everySaves = 10;
const delayMs = 1_000;
const betweenRunsMs = 60_000;

/** Returns the function that ends it. */
export function consolidateAfterSaves({ events, clock, timers, run }: AfterSavesDeps): () => void {
  let saves = 0;
  let lastRunMs = Number.NEGATIVE_INFINITY;
  let timer: unknown = null;

  function fire(): void {
    timer = null;
    saves = 0;
    lastRunMs = clock.now();
    run();
  }

  const unsubscribe = events.subscribe(({ kind, action }) => {
    if (kind !== 'memory' || (action !== 'created' && action !== 'merged')) return;
    saves += 1;
    if (saves < everySaves || timer !== null) return;
    timer = timers.set(fire, Math.max(delayMs, lastRunMs + betweenRunsMs - clock.now()));
  });

  return () => {
    unsubscribe();
    if (timer !== null) timers.clear(timer);
  };
}
