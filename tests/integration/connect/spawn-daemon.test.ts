// Who may start a daemon: the file that claims the start, and what a client makes of one that is left over.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnDaemon } from '#clients/connect/spawn-daemon.ts';
import { type Home, homeIn, untilUp } from '../../support/daemon-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { toyPrograms } from '../../support/toy-programs.ts';

const program = toyPrograms().daemon;

/** Leaves a claim of that process, made so long ago. */
function leaveClaim({ paths }: Home, pid: number, ageMs: number): void {
  const file = join(paths.run, 'starting');
  mkdirSync(paths.run, { recursive: true });
  writeFileSync(file, String(pid));
  const madeS = (Date.now() - ageMs) / 1_000;
  utimesSync(file, madeS, madeS);
}

/** A process that has ended and whose parent does not ask for its exit code. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await sleep(5);
  return pid;
}

describe('a claim on the start of the daemon', () => {
  it('of a living process is honoured', () => {
    const home = homeIn(tempFolder());
    leaveClaim(home, process.pid, 3_000);
    expect(spawnDaemon({ ...home, program })).toBe('under_way');
  });

  it('is taken for abandoned after ten seconds', async () => {
    const home = homeIn(tempFolder());
    leaveClaim(home, process.pid, 11_000);
    expect(spawnDaemon({ ...home, program })).toBe('started');
    await untilUp(home);
  });

  it('of a daemon that died at once is honoured for a second, and of one that has served not at all', async () => {
    const home = homeIn(tempFolder());
    const dead = spawn('true', { stdio: 'ignore' });
    await new Promise((resolve) => dead.once('close', resolve));
    const pid = dead.pid ?? 0;
    leaveClaim(home, pid, 200);
    mkdirSync(dirname(home.paths.card), { recursive: true });
    writeFileSync(home.paths.card, JSON.stringify({ pid, port: null }));
    expect(spawnDaemon({ ...home, program })).toBe('under_way');
    writeFileSync(home.paths.card, JSON.stringify({ pid, port: 4_004 }));
    expect(spawnDaemon({ ...home, program })).toBe('started');
    await untilUp(home);
  });

  it.runIf(process.platform === 'linux')(
    'of a dead daemon that nobody has buried holds up no other start',
    async () => {
      const home = homeIn(tempFolder());
      leaveClaim(home, await zombie(), 3_000);
      expect(spawnDaemon({ ...home, program })).toBe('started');
      await untilUp(home);
    },
  );
});
