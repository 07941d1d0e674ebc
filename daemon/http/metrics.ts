// Counters of the running daemon in Prometheus' text format. Operations are counted at the one door, so that a call over MCP counts
// like one over REST. The delay of the event loop is sampled only between two scrapes: an unwatched daemon pays no timer.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Invoke } from '#daemon/kernel/invoke.ts';
import { LociError } from '#shared/errors.ts';

export type Metrics = {
  /** The same door, counted. Wrap it once, for all surfaces. */
  count(invoke: Invoke): Invoke;
  /** The text that `/metrics` answers; `memories` are numbers by status, where they are known. */
  render(memories: Readonly<Record<string, number>> | null): string;
};

/** Upper bounds of the duration buckets, in seconds. */
const bucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** How often the event loop is sampled, and after how long without a scrape that ends. */
const sampleMs = 10;
const unwatchedMs = 10 * 60 * 1000;

type Series = { operation: string; outcome: string; calls: number; totalS: number; buckets: number[] };

export function createMetrics(): Metrics {
  const seriesByName = new Map<string, Series>();
  let loopDelay: IntervalHistogram | null = null;
  let stopWatching: NodeJS.Timeout | undefined;

  return {
    count: (invoke) => async (name, input, context) => {
      const startedMs = performance.now();
      const done = (outcome: string): void => record(name, outcome, (performance.now() - startedMs) / 1000);
      try {
        const output = await invoke(name, input, context);
        done('ok');
        return output;
      } catch (error) {
        const isUnknown = error instanceof LociError && error.code === 'not_found' && error.details.operation === name;
        if (isUnknown) record('unknown', 'not_found', (performance.now() - startedMs) / 1000);
        else done(error instanceof LociError ? error.code : 'internal');
        throw error;
      }
    },
    render(memories) {
      const lines = [...operationLines(seriesByName.values()), ...memoryLines(memories), ...processLines(loopDelay)];
      watchLoop();
      return `${lines.join('\n')}\n`;
    },
  };

  function watchLoop(): void {
    clearTimeout(stopWatching);
    loopDelay ??= startLoopDelay();
    loopDelay.reset();
    stopWatching = setTimeout(() => {
      loopDelay?.disable();
      loopDelay = null;
    }, unwatchedMs).unref();
  }

  function record(operation: string, outcome: string, seconds: number): void {
    const key = `${operation} ${outcome}`;
    const series = seriesByName.get(key) ?? {
      operation,
      outcome,
      calls: 0,
      totalS: 0,
      buckets: bucketsS.map(() => 0),
    };
    series.calls += 1;
    series.totalS += seconds;
    bucketsS.forEach((bound, index) => {
      if (seconds <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
    });
    seriesByName.set(key, series);
  }
}

function* operationLines(all: Iterable<Series>): Generator<string> {
  yield '# HELP loci_operation_duration_seconds Time from a call to its answer, by operation and outcome.';
  yield '# TYPE loci_operation_duration_seconds histogram';
  for (const { operation, outcome, calls, totalS, buckets } of all) {
    const labels = `operation="${operation}",outcome="${outcome}"`;
    for (const [index, bound] of bucketsS.entries()) {
      yield `loci_operation_duration_seconds_bucket{${labels},le="${bound}"} ${buckets[index]}`;
    }
    yield `loci_operation_duration_seconds_bucket{${labels},le="+Inf"} ${calls}`;
    yield `loci_operation_duration_seconds_sum{${labels}} ${totalS}`;
    yield `loci_operation_duration_seconds_count{${labels}} ${calls}`;
  }
}

function* memoryLines(memories: Readonly<Record<string, number>> | null): Generator<string> {
  if (memories === null) return;
  yield '# HELP loci_memories Memories in the store, by status.';
  yield '# TYPE loci_memories gauge';
  for (const [status, count] of Object.entries(memories)) yield `loci_memories{status="${status}"} ${count}`;
}

function* processLines(loopDelay: IntervalHistogram | null): Generator<string> {
  yield '# HELP process_resident_memory_bytes Memory that the process holds.';
  yield '# TYPE process_resident_memory_bytes gauge';
  yield `process_resident_memory_bytes ${process.memoryUsage.rss()}`;
  yield '# HELP process_uptime_seconds Time since the process began.';
  yield '# TYPE process_uptime_seconds gauge';
  yield `process_uptime_seconds ${process.uptime()}`;
  if (loopDelay === null) return;
  yield '# HELP loci_event_loop_delay_seconds Delay of the event loop since the last scrape.';
  yield '# TYPE loci_event_loop_delay_seconds gauge';
  for (const [quantile, ns] of [
    ['0.5', loopDelay.percentile(50)],
    ['0.99', loopDelay.percentile(99)],
    ['1', loopDelay.max],
  ] as const) {
    // the histogram holds the time between two samples, which an idle loop makes one interval long
    yield `loci_event_loop_delay_seconds{quantile="${quantile}"} ${Math.max(0, ns / 1e9 - sampleMs / 1e3)}`;
  }
}

function startLoopDelay(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: sampleMs });
  histogram.enable();
  return histogram;
}
