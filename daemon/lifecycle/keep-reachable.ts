// A daemon whose socket file was removed (a cleaner of temporary folders, a careless `rm -r`) lives on, holds the lock and can be reached by
// nobody, and no other can take its place. So a missing file is put back: a second listener takes the connections for the first.
import { lstatSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import type { Logger } from '#daemon/kernel/logger.ts';
import { privateRunFolder } from './folders.ts';

export type KeepOptions = {
  readonly path: string;
  readonly logger: Logger;
  /** Binds a server to the path, 0600. */
  readonly bind: (server: Server, path: string) => void;
  readonly everyMs: number;
};

/** Looks for the file until `server` stops listening. A file that is another's by now is left to it. */
export function keepReachable(server: Server, { path, logger, bind, everyMs }: KeepOptions): void {
  const timer = setInterval(() => {
    if (!server.listening) return clearInterval(timer);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
    try {
      privateRunFolder(dirname(path));
      const { allowHalfOpen } = server as Server & { readonly allowHalfOpen?: boolean };
      const spare = createServer({ allowHalfOpen: allowHalfOpen ?? false }, (socket) => {
        if (server.listening) server.emit('connection', socket);
        else socket.destroy();
      });
      spare.on('error', (error) => logger.error({ err: error, path }, 'the socket could not be put back'));
      bind(spare, path);
      server.once('close', () => spare.close());
      logger.warn({ path }, 'the socket was removed and is put back');
    } catch (error) {
      logger.error({ err: error, path }, 'the socket could not be put back');
    }
  }, everyMs);
  timer.unref();
}
