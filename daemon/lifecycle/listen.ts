// How the daemon becomes reachable. The lock is held before, so a socket file that nobody answers on is rubbish of a killed daemon;
// still it is tried before it is removed, because two homes may have been given one LOCI_SOCKET. No umask: it is the whole
// process's, and a file written meanwhile by another thread would get it. The 0700 folder protects, chmod comes at once after.
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import type { LociPaths } from '#shared/paths.ts';
import type { SettingValues } from '#shared/settings.ts';
import { inheritedSockets, type SocketName } from './activation.ts';
import { keepReachable } from './keep-reachable.ts';
import { describePortHolder } from './port-holder.ts';

/** What became of TCP: the port that answers, or why none does. */
export type TcpOutcome = { readonly port: number | null; readonly problem: string | null };

export type Listeners = {
  /** Makes `server` answer on the socket, 0600, or on the one that systemd handed over. Throws `conflict` when another program answers there. */
  socket(name: SocketName, server: Server): Promise<void>;
  /** Makes `server` answer on `http.host`:`http.port`. A taken port is no failure of the daemon: the sockets still serve. */
  tcp(server: Server): Promise<TcpOutcome>;
};

export type ListenDeps = {
  readonly paths: Pick<LociPaths, 'httpSocket' | 'mcpSocket'>;
  readonly settings: Pick<SettingValues, 'http.enabled' | 'http.host' | 'http.port'>;
  readonly logger: Logger;
  readonly env: NodeJS.ProcessEnv;
  /** How often the socket files are looked for; 5 s unless given. */
  readonly socketCheckMs?: number;
};

export function createListeners({ paths, settings, logger, env, socketCheckMs }: ListenDeps): Listeners {
  const inherited = inheritedSockets(env);
  const pathOf: Record<SocketName, string> = { 'loci.sock': paths.httpSocket, 'mcp.sock': paths.mcpSocket };

  return {
    async socket(name, server) {
      const descriptor = inherited.get(name);
      if (descriptor !== undefined) return listening(server, () => server.listen({ fd: descriptor }));
      const path = pathOf[name];
      await removeStaleSocket(path);
      await listening(server, () => bind(server, path));
      keepReachable(server, { path, logger, bind, everyMs: socketCheckMs ?? 5_000 });
    },

    async tcp(server) {
      if (!settings['http.enabled']) return { port: null, problem: null };
      const host = settings['http.host'];
      const port = settings['http.port'];
      try {
        await listening(server, () => server.listen({ host, port }));
      } catch (error) {
        const problem = await tcpProblem(error, host, port);
        logger.error({ host, port }, problem);
        return { port: null, problem };
      }
      const address = server.address();
      return { port: typeof address === 'object' && address !== null ? address.port : port, problem: null };
    },
  };
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

function bind(server: Server, path: string): void {
  server.listen(path); // binds in this very call
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // not bound: the error event says why
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new LociError('conflict', `${path} is not a socket; remove it and start again.`);
  }
  if (await answers(path)) {
    throw new LociError('conflict', `Another program listens on ${path}; stop it or set LOCI_SOCKET.`);
  }
  unlinkSync(path);
}

/** Whether a connection is taken; one that hangs for a second counts as taken. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const settle = (answer: boolean) => {
      probe.destroy();
      resolve(answer);
    };
    probe.once('connect', () => settle(true));
    probe.once('error', () => settle(false));
    probe.setTimeout(1000, () => settle(true));
  });
}

async function tcpProblem(error: unknown, host: string, port: number): Promise<string> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const holder = await describePortHolder(port);
    return `TCP port ${port} is taken${holder === null ? '' : ` by ${holder}`}; set http.port to another one, or to 0 for a free one.`;
  }
  if (code === 'EACCES') return `TCP port ${port} may not be used by this user; set http.port to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine; set http.host.`;
  return `TCP ${host}:${port} cannot be used (${code ?? 'unknown error'}); set http.host and http.port.`;
}
