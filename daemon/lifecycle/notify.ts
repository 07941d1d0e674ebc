import { execFile } from 'node:child_process';

/** Tells systemd that the daemon is ready or stopping; does nothing outside a unit. Node has no datagram sockets, hence the program. */
export function notifyServiceManager(state: 'ready' | 'stopping', env: NodeJS.ProcessEnv): void {
  if (env.NOTIFY_SOCKET === undefined) return;
  execFile(
    'systemd-notify',
    // of stopping, by the variable: the flag is newer than many a systemd, and the pid may be nobody's by then
    state === 'ready' ? ['--ready', `--pid=${process.pid}`] : ['STOPPING=1'],
    { env: { PATH: env.PATH, NOTIFY_SOCKET: env.NOTIFY_SOCKET } },
    () => undefined,
  );
}
