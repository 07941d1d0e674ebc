import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lastLogLines } from '#clients/connect/follow-log.ts';
import { createLogFile } from '#daemon/kernel/log-file.ts';
import { createFileLogger } from '#daemon/kernel/logger.ts';
import { createFakeClock, dayMs } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const mb = 1024 * 1024;

function newLog(maxBytes: number) {
  const clock = createFakeClock();
  const file = join(tempFolder(), 'log', 'locid.log');
  const log = createLogFile({ file, maxBytes, now: clock.now });
  onTestFinished(() => log.close());
  return { clock, file, log };
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

describe('the log', () => {
  it('B46 stays within its cap over three midnights and 200 MB of lines, the newest kept', () => {
    const { clock, file, log } = newLog(10 * mb);
    const filler = 'x'.repeat(10_000);
    for (let line = 0; line < 20_000; line += 1) {
      log.write(`{"line":${line},"filler":"${filler}"}\n`);
      clock.advance((3 * dayMs) / 20_000);
      if (line % 1000 === 0) expect(sizeOf(dirname(file))).toBeLessThanOrEqual(10 * mb);
    }
    expect(sizeOf(dirname(file))).toBeLessThanOrEqual(10 * mb);
    expect(sizeOf(dirname(file))).toBeGreaterThan(7 * mb);
    expect(lastLogLines(file, 300).map((line) => JSON.parse(line).line)).toEqual(
      Array.from({ length: 300 }, (_, index) => 19_700 + index),
    );
  });

  it('holds no file that was moved away or removed', () => {
    const { clock, file, log } = newLog(mb);
    log.write('one\n');
    renameSync(file, `${file}.old`);
    clock.advance(dayMs);
    log.write('two\n');
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    rmSync(dirname(file), { recursive: true });
    clock.advance(dayMs);
    log.write('three\n');
    expect(readFileSync(file, 'utf8')).toBe('three\n');
  });

  it('goes on in the file of the daemon before', () => {
    const { file, log } = newLog(mb);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'before\n', { mode: 0o644 });
    log.write('after\n');
    expect(readFileSync(file, 'utf8')).toBe('before\nafter\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('B70 does not write through a planted link', () => {
    const { file, log } = newLog(mb);
    const victim = join(tempFolder(), 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(victim, file);
    log.write('line\n');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it('B45 survives a folder that cannot be made', () => {
    const blocked = join(tempFolder(), 'file');
    writeFileSync(blocked, '');
    const log = createLogFile({ file: join(blocked, 'locid.log'), maxBytes: mb });
    expect(() => log.write('line\n')).not.toThrow();
    expect(existsSync(join(blocked, 'locid.log'))).toBe(false);
  });

  it('has JSON lines of the asked level on disk at once', () => {
    const file = join(tempFolder(), 'locid.log');
    const logger = createFileLogger({ file, level: 'warn', maxMb: 1 });
    logger.info('not this');
    logger.warn({ id: 7 }, 'this');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: 7, msg: 'this', pid: process.pid });
  });
});
