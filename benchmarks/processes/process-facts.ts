import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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

/** Milliseconds of CPU that a process has used in all its threads: in steps of 10 where the system says so much, else of 1,000. */
export function cpuMs(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) {
    // the name of the program, in brackets, may hold spaces; user and system ticks are the 12th and 13th field behind it
    const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
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
