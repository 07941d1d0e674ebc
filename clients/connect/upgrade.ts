// After an upgrade of the package the old daemon still runs, and would for months. Only a newer client asks, only an older daemon is
// asked, and at most once in ten minutes: two installations of different age must not restart the daemon against each other.
// The recorded installation is started again, not the asking client's: a client in a scratch folder must not take the daemon over.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LociPaths } from '#shared/paths.ts';
import { compareVersions, version } from '#shared/version.ts';
import { readCard } from './daemon-card.ts';
import { endDaemon } from './end-daemon.ts';
import { spawnDaemon } from './spawn-daemon.ts';
import type { Wire } from './wire.ts';

export type UpgradeDeps = {
  readonly wire: Wire;
  readonly paths: LociPaths;
  readonly env: NodeJS.ProcessEnv;
  readonly program: string;
  readonly notice?: (sentence: string) => void;
  /** Tests stand in for another version of this client. */
  readonly ownVersion?: string;
};

const askAgainMs = 10 * 60_000;

/** Looks at the version of every reply; `done` waits for a restart that was asked for. */
export function createUpgradeCheck(deps: UpgradeDeps) {
  const ownVersion = deps.ownVersion ?? version;
  let asked: Promise<void> | null = null;
  return {
    seen(daemonVersion: string | null): void {
      if (asked !== null || daemonVersion === null || compareVersions(daemonVersion, ownVersion) >= 0) return;
      if (!claimTurn(deps.paths)) return;
      asked = restartNewer(deps, daemonVersion).catch(() => undefined);
    },
    done: () => asked ?? Promise.resolve(),
  };
}

async function restartNewer(deps: UpgradeDeps, daemonVersion: string): Promise<void> {
  const card = readCard(deps.paths.card);
  const recorded = card?.script_path;
  const script = recorded !== undefined && existsSync(recorded) ? recorded : deps.program;
  const installed = await versionOf(card?.node_path ?? process.execPath, script);
  if (installed === null || compareVersions(installed, daemonVersion) <= 0) {
    deps.notice?.(
      `The daemon is version ${daemonVersion}, older than this program; update it and run \`loci restart\`.`,
    );
    return;
  }
  if (await endDaemon(deps)) spawnDaemon({ paths: deps.paths, env: deps.env, program: script });
}

/** True for one client in ten minutes; the file's age is the clock. */
function claimTurn({ state }: LociPaths): boolean {
  const file = join(state, 'upgrade-asked');
  try {
    const askedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (askedAtMs !== undefined && Math.abs(Date.now() - askedAtMs) < askAgainMs) return false;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${version}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** What `locid --version` of an installation says; null when it cannot be run. */
function versionOf(node: string, script: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(node, [script, '--version'], { timeout: 5_000 }, (error, stdout) => {
      resolve(error === null ? (/^locid (\S+)/u.exec(stdout)?.[1] ?? null) : null);
    });
  });
}
