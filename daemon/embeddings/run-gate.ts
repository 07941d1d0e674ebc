// A process that ends while the runtime works on a text is aborted by it (a C++ exception that nothing catches): exit code 134 and a
// core dump in place of the code that was meant. So a run passes a gate in memory that both threads see, and the end of the
// process waits at it: for the run under way, 200 ms at most, and lets no other begin.

const isOpen = 0;
const isBusy = 1;
const isClosed = 2;

export type RunGate = Int32Array;

export function createRunGate(): RunGate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** In the thread of the model: does the work unless the process is ending, in which case it never settles. */
export async function passGate<T>(gate: RunGate, work: () => Promise<T>): Promise<T> {
  if (Atomics.compareExchange(gate, 0, isOpen, isBusy) === isClosed) return new Promise(() => undefined);
  try {
    return await work();
  } finally {
    Atomics.store(gate, 0, isOpen);
    Atomics.notify(gate, 0);
  }
}

/** In the main thread, for good: blocks until no work is under way, but no longer than `patienceMs`. */
export function closeGate(gate: RunGate, patienceMs: number): void {
  const deadlineMs = performance.now() + patienceMs;
  while (Atomics.compareExchange(gate, 0, isOpen, isClosed) === isBusy) {
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) return;
    Atomics.wait(gate, 0, isBusy, leftMs);
  }
}
