import type { Session } from '../session.ts';

/** A line on a terminal's stderr that tells how far something is; nothing anywhere else. */
export type Progress = {
  /** `total` null: not known. */
  show(what: string, done: number, total: number | null): void;
  end(): void;
};

const barWidth = 24;
const everyMs = 80;

export function createProgress({ io, options }: Session): Progress {
  if (io.stderr.isTTY !== true || options.quiet === true) return { show: () => undefined, end: () => undefined };
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(what, done, total) {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < everyMs && done !== total) return;
      shownAtMs = nowMs;
      isShown = true;
      io.stderr.write(`\r\u001b[K${lineOf(what, done, total)}`);
    },
    end() {
      if (isShown) io.stderr.write('\r\u001b[K');
    },
  };
}

function lineOf(what: string, done: number, total: number | null): string {
  if (total === null || total === 0) return `${what} …`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  return `${what.padEnd(8)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${Math.round(share * 100)} %`;
}
