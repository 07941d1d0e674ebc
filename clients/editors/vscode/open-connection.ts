// The daemon of this machine, started when it is down by the Node that it ran with before. The editor's own runtime is no Node that could
// load the daemon's native modules, so where none is recorded nothing is started, and the user is told how.
import { existsSync } from 'node:fs';
import { type Connection, createConnection } from '#clients/connect/connection.ts';
import { readCard } from '#clients/connect/daemon-card.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';

/** `home` is the setting `loci.home`, empty for the usual one; `folder` the workspace folder. */
export function openConnection(env: NodeJS.ProcessEnv, home: string, folder: string | null): Connection {
  const here = localDaemon(env, home === '' ? {} : { home });
  const { node_path, script_path } = readCard(here.paths.card) ?? {};
  const canStart = [node_path, script_path].every((path) => path !== undefined && existsSync(path));
  return createConnection({
    paths: here.paths,
    env: canStart ? here.env : { ...here.env, LOCI_NO_AUTOSTART: '1' },
    program: script_path ?? '',
    server: null,
    folder,
    agent: 'vscode',
  });
}
