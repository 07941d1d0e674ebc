import { execFile } from 'node:child_process';

/** Tells systemd that the daemon is ready or stopping; does nothing outside a unit. Node has no datagram sockets, hence the program. */
export function notifyServiceManager(state: 'ready' | 'stopping', env: NodeJS.ProcessEnv): void {
  if (env.NOTIFY_SOCKET === undefined) return;
  execFile(
    'systemd-notify',
    [`--${state}`, `--pid=${process.pid}`],
    { env: { PATH: env.PATH, NOTIFY_SOCKET: env.NOTIFY_SOCKET } },
    () => undefined,
  );
}
