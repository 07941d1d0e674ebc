// JSON lines to a rotated file. No memory text at info level: callers log ids, counts and durations.
import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Logger as PinoLogger, pino } from 'pino';
import { createStream } from 'rotating-file-stream';

export type Logger = Pick<PinoLogger, 'info' | 'warn' | 'error' | 'debug' | 'child' | 'level'>;

export type LogOptions = { readonly file: string; readonly level: string; readonly maxMb: number };

/** How many files the cap `log.max_mb` is shared by. */
const keptFiles = 5;

/** A logger that never holds more than `maxMb` megabytes on disk; files are 0600 in a 0700 folder. */
export function createFileLogger(options: LogOptions): Logger {
  mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
  const sizeKb = Math.max(64, Math.floor((options.maxMb * 1024) / keptFiles));
  const stream = createStream((_time, index) => rotatedName(basename(options.file), index), {
    path: dirname(options.file),
    size: `${sizeKb}K`,
    rotate: keptFiles - 1,
    mode: 0o600,
  });
  stream.on('error', () => undefined); // a full disk must not end the daemon
  return pino({ level: options.level, base: { pid: process.pid } }, stream);
}

/** `locid.log`, then `locid.log.1`, `locid.log.2`, … */
function rotatedName(name: string, index?: number | null): string {
  return index === null || index === undefined ? name : `${name}.${index}`;
}

export const silentLogger: Logger = pino({ level: 'silent' });
