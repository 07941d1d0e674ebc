import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '#shared/errors.ts';

/** Runs alone: a second setup at the same time is refused with `conflict`. A lock whose process has ended is taken over. */
export function withSetupLock<Result>(folder: string, run: () => Result): Result {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'lock');
  if (!take(file)) {
    if (isHeld(file)) throw new LociError('conflict', 'Another setup is at work: wait until it has ended.');
    rmSync(file, { force: true });
    if (!take(file)) throw new LociError('conflict', 'Another setup is at work: wait until it has ended.');
  }
  try {
    return run();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new LociError('conflict', 'The state folder of Loci cannot be written: check who owns it.');
  }
}

function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || 0x7fffffff, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
