import { execFileSync, spawn } from 'node:child_process';

/** Megabytes (2^20) of memory that a process holds. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** The same of a process and its children. */
export function residentMbWithChildren(pid: number): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  const own = rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .filter(([id, parent]) => id === pid || parent === pid);
  return own.reduce((sum, [, , rss = 0]) => sum + rss, 0) / 1024;
}

/** Seconds of CPU that a process has used in all its threads; whole ones on Linux. */
export function cpuSeconds(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  return (clock ?? '0').split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}

/** Milliseconds from the start of `node -e 0` to its end: the yardstick of every start. */
export function timeEmptyNode(): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve(performance.now() - startedMs));
  });
}

/** Megabytes of a `node` that has done nothing for a while. */
export async function idleNodeMb(afterMs: number): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const mb = residentMb(child.pid ?? 0);
  child.kill('SIGKILL');
  return mb;
}
