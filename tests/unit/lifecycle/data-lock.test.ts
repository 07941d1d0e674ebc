import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeDataLock } from '#daemon/lifecycle/data-lock.ts';
import { LociError } from '#shared/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function take(file: string) {
  const lock = takeDataLock(file);
  onTestFinished(() => lock?.release());
  return lock;
}

describe('the lock of the data folder', () => {
  it('is held by one at a time and free again after its release', () => {
    const file = join(tempFolder(), 'locid.lock');
    const first = take(file);
    expect(first).not.toBeNull();
    expect(take(file)).toBeNull();
    first?.release();
    expect(take(file)).not.toBeNull();
  });

  it('is a file of its owner alone', () => {
    const file = join(tempFolder(), 'locid.lock');
    take(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('B41 is taken although a pid was written into it', () => {
    const file = join(tempFolder(), 'locid.lock');
    writeFileSync(file, '4711\n');
    expect(take(file)).not.toBeNull();
    expect(statSync(file).size).toBe(0);
    expect(take(file)).toBeNull();
  });

  it('B70 is never taken through a planted link', () => {
    const folder = tempFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, 'locid.lock'));
    expect(() => take(join(folder, 'locid.lock'))).toThrow(/symbolic link/u);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it('cannot be a folder, and says so', () => {
    const file = join(tempFolder(), 'locid.lock');
    mkdirSync(file);
    expect(() => take(file)).toThrow(LociError);
  });

  it('tells once when its file is removed', async () => {
    const file = join(tempFolder(), 'locid.lock');
    let lost = 0;
    take(file)?.watch(() => (lost += 1), 5);
    await sleep(30);
    expect(lost).toBe(0);
    rmSync(file);
    await sleep(60);
    expect(lost).toBe(1);
  });

  it('tells when another file stands in its place', async () => {
    const file = join(tempFolder(), 'locid.lock');
    let lost = 0;
    take(file)?.watch(() => (lost += 1), 5);
    writeFileSync(`${file}.new`, '');
    renameSync(`${file}.new`, file);
    await sleep(60);
    expect(lost).toBe(1);
    expect(existsSync(file)).toBe(true);
  });
});
