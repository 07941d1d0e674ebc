// After an upgrade of the package the old daemon still runs, and an agent that speaks MCP alone would keep it for months. A greeting tells the
// version of its client: from a newer one the daemon looks whether its own installation was renewed under it, and if so it ends, in order;
// the shims carry their sessions over to the one that is started next. It never makes room for an installation that is not its own, or two
// of different age would take turns for ever, and it looks at most once in ten minutes.
import { execFile } from 'node:child_process';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { compareVersions } from '#shared/version.ts';

export type RoomDeps = {
  /** Of this process. */
  readonly version: string;
  /** The program that this process was started from, and the node that ran it. */
  readonly script: string;
  readonly node: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly requestStop: () => void;
};

const lookAgainMs = 10 * 60_000;

/** Answers what to call with the version of each client that greets, or null where it told none. */
export function createRoomMaker(deps: RoomDeps): (clientVersion: string | null) => void {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return (clientVersion) => {
    if (clientVersion === null || compareVersions(clientVersion, deps.version) <= 0) return;
    const nowMs = deps.clock.now();
    if (Math.abs(nowMs - lookedAtMs) < lookAgainMs) return;
    lookedAtMs = nowMs;
    void installedVersion(deps).then((installed) => {
      const isNewer = installed !== null && compareVersions(installed, deps.version) > 0;
      deps.logger.info(
        { client_version: clientVersion, installed },
        isNewer ? 'making room for a newer version' : 'a newer client',
      );
      if (isNewer) deps.requestStop();
    });
  };
}

/** What `locid --version` says of the installation as it is now; null when it cannot be run. */
function installedVersion({ node, script }: RoomDeps): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(node, [script, '--version'], { timeout: 5_000 }, (error, stdout) => {
      resolve(error === null ? (/^locid (\S+)/u.exec(stdout)?.[1] ?? null) : null);
    });
  });
}
