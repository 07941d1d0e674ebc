// A web page the user visits may send requests to 127.0.0.1, directly or through a name re-bound to it (DNS rebinding).
// The browser then tells the page's own name in Host or Origin: over TCP both must be ours, before any handler runs.
// There is no CORS: no header ever invites another origin, and a preflight is refused. The Unix socket is out of a page's reach unless its owner
// puts a tunnel in front of it (`ssh -L 8080:…/loci.sock`): what a browser sends through one has to come from the page that is served there.
import type { IncomingMessage } from 'node:http';
import { LociError } from '#shared/errors.ts';

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** What settings allow besides loopback: names with the port that is listened on, and whole `Host`s of a proxy in front, which speaks https. */
export type ExtraHosts = { readonly names?: readonly string[]; readonly publicHosts?: readonly string[] };

/** Why a request that came over TCP on `port` is refused, or null. */
export function originRefusal(
  request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
  port: number,
  { names = [], publicHosts = [] }: ExtraHosts = {},
): LociError | null {
  const hosts = [...loopbackHosts, ...names].flatMap((name) => withPort(name.toLowerCase(), port));
  const { host, origin } = request.headers;
  const isPublic = host !== undefined && publicHosts.includes(host.toLowerCase());
  if (
    host === undefined ||
    !(isPublic || hosts.includes(host.toLowerCase())) ||
    request.url?.startsWith('/') !== true
  ) {
    return new LociError(
      'forbidden',
      `Refused: this address is reached as 127.0.0.1:${port} or localhost:${port} only.`,
    );
  }
  const isOwn = isPublic
    ? origin === `https://${host.toLowerCase()}`
    : hosts.some((name) => origin === `http://${name}` || origin === `https://${name}`);
  if (origin !== undefined && !isOwn) {
    return new LociError('forbidden', 'Refused: pages of another origin may not call Loci.');
  }
  if (request.method === 'OPTIONS') {
    return new LociError('forbidden', 'Refused: Loci answers no preflight, pages of another origin may not call it.');
  }
  return null;
}

/** Why a browser's request that came through a tunnel to the socket is refused, or null. A browser is known by `Sec-Fetch-Site`. */
export function tunnelRefusal({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): LociError | null {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === undefined) return null;
  const isLoopback = loopbackHosts.some((name) => host === name || host.startsWith(`${name}:`));
  const isVisit = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  const isOwn =
    origin === undefined
      ? site === 'same-origin' || site === 'none' || isVisit
      : origin === `http://${host}` || origin === `https://${host}`;
  if (isLoopback && isOwn && method !== 'OPTIONS') return null;
  return new LociError('forbidden', 'Refused: pages of another origin may not call Loci.');
}

/** A browser leaves out the port that the scheme implies. */
function withPort(name: string, port: number): string[] {
  return port === 80 || port === 443 ? [`${name}:${port}`, name] : [`${name}:${port}`];
}
