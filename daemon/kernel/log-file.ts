// The log is bounded and never lost to a handle. Lines are written at once, so that the last words of a crash are there and
// a flood cannot pile up in memory; a file that is full becomes `.1`, `.2`, …; a file that was removed or moved away
// under us is noticed within a second and made anew, else a daemon of months writes where nobody can read.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type LogFile = { write(line: string): void; close(): void };

export type LogFileOptions = {
  readonly file: string;
  /** Cap of all files together, in bytes. */
  readonly maxBytes: number;
  readonly now?: () => number;
};

/** How many files share the cap. */
const keptFiles = 5;

/** How often the path is compared with the open file. */
const checkEveryMs = 1000;

/** Opens the file at the first line; a disk that is full or gone drops lines instead of ending the daemon. */
export function createLogFile({ file, maxBytes, now = Date.now }: LogFileOptions): LogFile {
  const fileBytes = Math.floor(maxBytes / keptFiles);
  let descriptor: number | null = null;
  let sizeBytes = 0;
  let checkedAtMs = 0;

  function open(): number {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    fchmodSync(opened, 0o600); // a file of an older version or of a shell may be readable by others
    sizeBytes = fstatSync(opened).size;
    return opened;
  }

  function close(): void {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  }

  /** Closes the descriptor when the path no longer leads to it. */
  function check(): void {
    const nowMs = now();
    if (descriptor === null || (nowMs >= checkedAtMs && nowMs - checkedAtMs < checkEveryMs)) return;
    checkedAtMs = nowMs;
    const opened = fstatSync(descriptor);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.ino !== opened.ino || found.dev !== opened.dev) close();
    else sizeBytes = opened.size; // the output of a starting daemon is appended to it too
  }

  function rotate(): void {
    close();
    for (let index = keptFiles - 1; index >= 1; index -= 1) {
      const from = index === 1 ? file : `${file}.${index - 1}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${index}`);
    }
    rmSync(`${file}.${keptFiles}`, { force: true });
  }

  return {
    write(line) {
      try {
        check();
        const lineBytes = Buffer.byteLength(line);
        descriptor ??= open();
        if (sizeBytes > 0 && sizeBytes + lineBytes > fileBytes) {
          rotate();
          descriptor = open();
        }
        writeSync(descriptor, line);
        sizeBytes += lineBytes;
      } catch {
        // nowhere to say it
      }
    },
    close,
  };
}
