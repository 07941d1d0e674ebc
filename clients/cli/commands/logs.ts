import { Command } from 'commander';
import { followLog, lastLogLines } from '#clients/connect/follow-log.ts';
import { LociError } from '#shared/errors.ts';
import { resolvePaths } from '#shared/paths.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { escapeLine } from '../render/escape.ts';
import type { View } from '../render/style.ts';

const defaultLines = 100;
const maxLines = 100_000;

/** `loci logs`: the daemon's own log, read from its file, so that it helps most when the daemon is down. */
export function addLogsCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('logs')
      .summary('what it logged')
      .description("Print the newest lines of the daemon's log; with -f also those to come, until interrupted.")
      .option('-n, --lines <n>', `how many lines (default: ${defaultLines})`)
      .option('-f, --follow', 'go on with what comes'),
  );
  command.action(async (flags: { lines?: string; follow?: boolean }) => {
    const session = deps.openSession(command);
    const file = resolvePaths(session.io.env, session.options).log;
    if (flags.follow === true && session.options.json === true) {
      throw new LociError('invalid_input', '--json prints one document, so it cannot go with --follow.');
    }
    const lines = lastLogLines(file, readCount(flags.lines));
    if (lines.length === 0) session.notice('Nothing is logged yet.');
    const view = session.view();
    session.print(lines.map(parseLine), () => ({ result: lines.map((line) => lineText(line, view)).join('\n') }));
    if (flags.follow !== true) return;
    await followLog({
      file,
      signal: new AbortController().signal, // ends with the process
      write: (text) => {
        for (const line of text.split('\n').filter((one) => one !== '')) {
          session.io.stdout.write(`${lineText(line, view)}\n`);
        }
      },
    });
  });
  mount('logs', command);
}

function readCount(text: string | undefined): number {
  if (text === undefined) return defaultLines;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= maxLines) return count;
  throw new LociError('invalid_input', `\`lines\`: must be a whole number from 1 to ${maxLines}.`);
}

/** A line of the log as data; what is no JSON (a crash of Node itself) stays text. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return { msg: line };
  }
}

const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** `time level message name=value …` */
function lineText(line: string, { style }: View): string {
  const entry = parseLine(line);
  if (typeof entry !== 'object' || entry === null) return escapeLine(line);
  const { time, level, msg, pid: _, ...rest } = entry as Record<string, unknown>;
  if (typeof time !== 'number' || typeof level !== 'number') return escapeLine(typeof msg === 'string' ? msg : line);
  const name = levels[level] ?? String(level);
  const paint = level >= 50 ? style.red : level >= 40 ? style.yellow : style.dim;
  const more = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const parts = [String(msg ?? ''), ...more].map(escapeLine);
  return `${style.dim(new Date(time).toISOString())} ${paint(name.padEnd(5))} ${parts.join(' ')}`;
}
