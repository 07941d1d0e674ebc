// nginx, where it is installed or Debian's package can be had: unpacked into a temporary folder, since installing it would start a service.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** The path of the program, or null where it cannot be had. */
export function findNginx(): string | null {
  const installed = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  const folder = tempFolder();
  try {
    execFileSync('apt-get', ['download', 'nginx'], { cwd: folder, stdio: 'ignore', timeout: 60_000 });
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', file, 'unpacked'], { cwd: folder, stdio: 'ignore' });
    const program = join(folder, 'unpacked', 'usr', 'sbin', 'nginx');
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return program;
  } catch {
    return null;
  }
}

/** What `nginx -t` says of a whole configuration. Throws where it refuses it. */
export function testNginx(program: string, config: string, folder: string): string {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  return execFileSync(program, ['-t', '-p', folder, '-c', config], { encoding: 'utf8', stdio: 'pipe' });
}

/** Runs in the foreground until the test ends. */
export function startNginx(program: string, config: string, folder: string): void {
  const child = spawn(program, ['-p', folder, '-c', config], { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
}
