import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { openPage } from '#shared/contract/page.ts';
import { LociError } from '#shared/errors.ts';
import type { PageSessions } from './sessions.ts';

export type PageDeps = {
  readonly sessions: PageSessions;
  /** The TCP port, or null where TCP is off or taken. */
  readonly port: () => number | null;
};

export function pageOperations({ sessions, port }: PageDeps): Operation[] {
  return [
    implement(openPage, async (_input, { userId, scopes, ended, transport }) => {
      // on the page a person judges what is held back from agents: a planted text may not have one opened
      if (transport === 'mcp') throw new LociError('forbidden', 'A person opens the page: `loci ui`.');
      const listensOn = port();
      if (listensOn === null) {
        throw new LociError('unavailable', 'The page needs the port that `http.port` names, and it is off or taken.');
      }
      const { code, expiresAtMs } = sessions.createCode({ userId, scopes, ...(ended === undefined ? {} : { ended }) });
      // behind the `#`: a browser sends that part to nobody
      return { url: `http://127.0.0.1:${listensOn}/#code=${code}`, expires_at: toUtc(expiresAtMs) };
    }),
  ];
}
