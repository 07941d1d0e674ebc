// Fires each job when it is due. The wall clock decides, never the length of a timer: timers stand still while a laptop sleeps,
// so no wait is longer than a minute, and whatever became due meanwhile is fired once.
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Schedule } from './cron.ts';
import type { Timers } from './timers.ts';

export type Planned = {
  readonly name: string;
  readonly schedule: Schedule;
  /** The job counts as done at this time: its next time after it is due, at once if that has passed. */
  readonly doneAtMs: number;
};

export type Scheduler = {
  start(planned: readonly Planned[]): void;
  /** When a job is due next; null for one that is not planned. */
  nextMs(name: string): number | null;
  stop(): void;
};

export type SchedulerDeps = {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Starts a job; must neither throw nor wait. */
  readonly fire: (name: string) => void;
};

export const longestWaitMs = 60_000;
/** Overdue jobs let the first requests of a fresh daemon go ahead. */
export const startDelayMs = 2_000;
/** A clock set back further than this was wrong before; by less, times that have been are not repeated. */
const correctionMs = 24 * 60 * 60 * 1000;

export function createScheduler({ clock, timers, fire }: SchedulerDeps): Scheduler {
  const plans = new Map<string, { readonly schedule: Schedule; dueMs: number | null }>();
  let timer: unknown = null;
  let lastTickMs = 0;

  function tick(): void {
    const nowMs = clock.now();
    const wasCorrected = nowMs < lastTickMs - correctionMs;
    lastTickMs = nowMs;
    for (const [name, plan] of plans) {
      if (wasCorrected) plan.dueMs = plan.schedule.next(nowMs);
      if (plan.dueMs === null || plan.dueMs > nowMs) continue;
      plan.dueMs = plan.schedule.next(nowMs);
      fire(name);
    }
    wait(longestWaitMs);
  }

  function wait(atMostMs: number): void {
    const nowMs = clock.now();
    const dueMs = [...plans.values()].map((plan) => plan.dueMs ?? Number.POSITIVE_INFINITY);
    timer = timers.set(tick, Math.max(1, Math.min(atMostMs, ...dueMs.map((ms) => ms - nowMs))));
  }

  return {
    start(planned) {
      const nowMs = clock.now();
      lastTickMs = nowMs;
      for (const { name, schedule, doneAtMs } of planned) {
        plans.set(name, { schedule, dueMs: schedule.next(Math.min(doneAtMs, nowMs)) });
      }
      timer = timers.set(tick, startDelayMs);
    },
    nextMs: (name) => plans.get(name)?.dueMs ?? null,
    stop() {
      timers.clear(timer);
      plans.clear();
    },
  };
}
