// JSON lines to a bounded file. No memory text at info level: callers log ids, counts and durations.
import { type Logger as PinoLogger, pino } from 'pino';
import { createLogFile } from './log-file.ts';

export type Logger = Pick<PinoLogger, 'info' | 'warn' | 'error' | 'debug' | 'child' | 'level'>;

export type LogOptions = { readonly file: string; readonly level: string; readonly maxMb: number };

/** A logger that never holds more than `maxMb` megabytes on disk; files are 0600 in a 0700 folder. */
export function createFileLogger(options: LogOptions): Logger {
  const sink = createLogFile({ file: options.file, maxBytes: options.maxMb * 1024 * 1024 });
  return pino({ level: options.level, base: { pid: process.pid } }, sink);
}

export const silentLogger: Logger = pino({ level: 'silent' });
