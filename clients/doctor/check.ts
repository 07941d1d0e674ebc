// What a check gives back and what it may use. A check looks and never changes: what would mend it is a command that a person can run, and,
// where that is safe to do unasked, a `fix` that `loci doctor --fix` runs.
import type { EnsureDeps } from '#clients/connect/ensure-daemon.ts';
import type { DaemonIdentity } from '#shared/daemon-card.ts';

export type Finding = {
  /** What was looked at: `disk`, `codex hooks`. */
  readonly about: string;
  /** `notice` is worth knowing and no failure; `broken` makes the doctor exit 1. */
  readonly status: 'ok' | 'notice' | 'broken';
  readonly says: string;
  /** The command that mends it; null where nothing is to be mended. */
  readonly mend: string | null;
  /** Does what `mend` says. Throws a `LociError` when it cannot. */
  readonly fix?: () => Promise<void> | void;
};

export type DoctorDeps = EnsureDeps & {
  /** `loci.cjs`, as agents start it. */
  readonly script: string;
  /** The daemon that answers now; null where none does. */
  readonly daemon: DaemonIdentity | null;
  /** Asks the running daemon; never starts one. */
  readonly call: (operation: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly nowMs: number;
};

/** Answers one finding or more; a check that throws is reported as broken. */
export type Check = { readonly about: string; readonly run: (deps: DoctorDeps) => Promise<Finding[]> | Finding[] };

export function ok(about: string, says: string): Finding {
  return { about, status: 'ok', says, mend: null };
}

export function notice(about: string, says: string, mend: string | null = null): Finding {
  return { about, status: 'notice', says, mend };
}

export function broken(about: string, says: string, mend: string, fix?: Finding['fix']): Finding {
  return { about, status: 'broken', says, mend, ...(fix === undefined ? {} : { fix }) };
}
