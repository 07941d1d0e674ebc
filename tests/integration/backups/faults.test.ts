// What the disk refuses while a backup is made or brought back.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeIn, untilUp } from '../../support/daemon-process.ts';
import { connectTo, locid } from '../../support/real-daemon.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const kilobytes = 1_200;
const filler = (at: number) =>
  `note${at} ${Array.from({ length: 300 }, (_, word) => `w${(at * 7919 + word * 104729) % 99_991}`).join(' ')}`;

describe('a disk without room', () => {
  it('a backup on a disk that is full is refused by its cause: no half file, older backups stay, saves go on', async () => {
    const home = homeIn(tempFolder());
    const child = spawn('bash', ['-c', 'exec "$0" "$1"', process.execPath, locid], { env: home.env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const pid = await untilUp(home);
    const connection = connectTo({ env: { ...home.env, LOCI_NO_AUTOSTART: '1' } });
    await connection.call('memory_save', { content: 'the first' });
    const first = (await connection.call('create_backup', {})) as { name: string };
    const memories = Array.from({ length: 120 }, (_, at) => ({ content: filler(at), on_duplicate: 'keep' }));
    await connection.call('memory_save_many', { memories });
    // from now on no file of this process may grow beyond this: the snapshot is larger, the write-ahead log is not
    execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${kilobytes * 1024}:unlimited`]);
    await expect(connection.call('create_backup', {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/disk|grow/i),
    });
    expect(readdirSync(home.paths.backups).filter((name) => name.includes('unfinished'))).toEqual([]);
    execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited:unlimited']);
    expect(await connection.call('list_backups', {})).toMatchObject({ backups: [{ name: first.name }], damaged: [] });
    expect(await connection.call('memory_get', { id: 5 })).toMatchObject({ content: filler(3) });
    expect(await connection.call('memory_save', { content: 'after it' })).toMatchObject({ outcome: 'created' });
    expect(await connection.call('create_backup', {})).toMatchObject({ sequence: 2, memories: 122 });
  }, 120_000);
});

describe('a backup folder that may only be read', () => {
  it('refuses a backup by its cause, keeps the older ones and takes saves; written again, it takes backups', async () => {
    const home = homeIn(tempFolder());
    const child = spawn(...obedient([process.execPath, locid]), { env: home.env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await untilUp(home);
    const connection = connectTo({ env: { ...home.env, LOCI_NO_AUTOSTART: '1' } });
    await connection.call('memory_save', { content: 'the first' });
    const first = (await connection.call('create_backup', {})) as { name: string };
    const before = readdirSync(home.paths.backups);
    chmodSync(home.paths.backups, 0o500);
    onTestFinished(() => chmodSync(home.paths.backups, 0o700));
    await expect(connection.call('create_backup', {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/folder|written|permission/i),
    });
    expect(await connection.call('run_job', { name: 'backup' })).toMatchObject({ outcome: 'failed' });
    expect(readdirSync(home.paths.backups)).toEqual(before);
    expect(await connection.call('verify_backup', { name: first.name })).toMatchObject({ name: first.name });
    expect(await connection.call('memory_save', { content: 'beside it' })).toMatchObject({ outcome: 'created' });
    chmodSync(home.paths.backups, 0o700);
    expect(await connection.call('create_backup', {})).toMatchObject({ memories: 2 });
  }, 120_000);
});

/** Root may write anywhere; without that right it is held to a folder's mode as everybody is. */
function obedient([program = '', ...args]: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, args];
  return ['setpriv', ['--bounding-set=-dac_override,-dac_read_search', program, ...args]];
}
