// How the page is known over TCP: by a cookie and a key in a header, both of one session (see daemon/page). A request that only
// carries the cookie is nobody's: a form, an image or a script of another page cannot set the header, and no reply invites it to.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { Caller } from '#daemon/kernel/caller.ts';
import { LociError } from '#shared/errors.ts';
import type { HttpDeps, HttpEnv, PageProof, PageSessions } from './http-deps.ts';
import { readJsonBody } from './read-body.ts';

/** The header that holds the key of a session. */
export const keyHeader = 'loci-page';

/** Answers for itself to who has neither token nor session: it is where a session comes from. */
export const signInRoute = 'POST /page/session';

const maxBodyBytes = 2_048;

/** Whom a request of the page acts for; null where it is not one, or not one that the page itself sent. */
export function pageCaller(request: IncomingMessage, sessions: PageSessions | undefined): Caller | null {
  const proof = proofOf(request);
  if (sessions === undefined || proof === null || !isSentByPage(request, proof.host)) return null;
  return sessions.ownerOf(proof);
}

/** Trades the code of `loci ui` for a session. 401 for a code that is unknown, used or older than a minute. */
export async function signIn(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  const { incoming, transport } = c.env;
  const { code } = await readJsonBody(incoming, transport, maxBodyBytes);
  const { host } = incoming.headers;
  const opened =
    typeof code === 'string' && host !== undefined && isSentByPage(incoming, host)
      ? deps.pageSessions?.redeem(code, host)
      : null;
  if (opened === null || opened === undefined) {
    throw new LociError('unauthorized', 'This address was used before or is older than a minute: run `loci ui` again.');
  }
  // behind a proxy the browser's side is encrypted though this one is not
  const isEncrypted = 'encrypted' in incoming.socket || incoming.headers.origin?.startsWith('https://') === true;
  const secure = isEncrypted ? '; Secure' : '';
  c.header('set-cookie', `${cookieName(incoming)}=${opened.cookie}; Path=/; HttpOnly; SameSite=Strict${secure}`);
  return c.json({ key: opened.key });
}

/** Who looks at the page and what this daemon offers; 401 without a session. */
export function pageState(c: Context<HttpEnv>, deps: HttpDeps): Response {
  return c.json({
    version: deps.version,
    transport: c.env.transport,
    scopes: c.get('caller').scopes,
    operations: deps.contracts.map(({ name }) => name),
  });
}

export function signOut(c: Context<HttpEnv>, deps: HttpDeps): Response {
  const proof = proofOf(c.env.incoming);
  if (proof !== null) deps.pageSessions?.end(proof);
  c.header('set-cookie', `${cookieName(c.env.incoming)}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
  return c.json({ signed_out: true });
}

function proofOf(request: IncomingMessage): PageProof | null {
  const { host, cookie } = request.headers;
  const key = request.headers[keyHeader];
  const value = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === cookieName(request))?.[1];
  if (host === undefined || typeof key !== 'string' || value === undefined) return null;
  return { cookie: value, key, host };
}

/** A browser says where a request comes from, in `Origin` for all that changes and in `Sec-Fetch-Site` for the rest. */
function isSentByPage({ headers, method }: IncomingMessage, host: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return method === 'GET' || method === 'HEAD';
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** A name of its own for each port, because a browser keeps one jar for all ports of a host. */
function cookieName({ socket }: IncomingMessage): string {
  return `loci_page_${socket.localPort}`;
}
