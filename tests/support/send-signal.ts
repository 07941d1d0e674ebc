// `process.kill(-1)` ends every process of a machine and 0 the group of whoever calls, so a daemon that happens to be down must never
// turn into such a number. Tests signal by this door alone; an architecture test holds them to it.

/** Sends a signal to one process. Throws where there is none. */
export function sendSignal(pid: number | null | undefined, signal: NodeJS.Signals | 0): void {
  if (pid === null || pid === undefined || pid <= 1) throw new Error(`there is no process ${pid} to send ${signal} to`);
  process.kill(pid, signal);
}
