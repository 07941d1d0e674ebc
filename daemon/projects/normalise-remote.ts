// A git remote as `host/owner/repo`, so that the ssh, https and scp-like spellings of one repository give one project.
// Whatever identifies a person or a connection is dropped: user, password, port, query. A path on this machine is no name.

/** Other hosts of one forge: ssh over port 443 has a name of its own at each of them. */
const sameForge: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
};

const schemes = new Set(['ssh', 'git+ssh', 'ssh+git', 'git', 'http', 'https']);

/** The identity of a remote's URL, or null where it names no host or no repository. */
export function normaliseRemote(url: string): string | null {
  const place = splitUrl(url.trim());
  if (place === null) return null;
  const host = hostName(place.authority);
  if (host === null) return null;
  const path = pathSegments(place.path, host);
  // `https://token/rest@host/…`: a password with a slash makes its first half look like a host
  if (path === null || (!host.includes('.') && path.some((segment) => segment.includes('@')))) return null;
  return [host, ...path].join('/');
}

function splitUrl(url: string): { authority: string; path: string } | null {
  const scheme = url.indexOf('://');
  if (scheme >= 0) {
    if (!schemes.has(url.slice(0, scheme).toLowerCase())) return null;
    const rest = url.slice(scheme + 3);
    const slash = rest.indexOf('/');
    const path = slash < 0 ? '' : rest.slice(slash);
    return { authority: slash < 0 ? rest : rest.slice(0, slash), path: path.split(/[?#]/, 1)[0] ?? '' };
  }
  return splitScp(url);
}

/** `user@host:path`: a colon before the first slash; a single letter before it is a drive, not a host. */
function splitScp(url: string): { authority: string; path: string } | null {
  const bracket = url.indexOf(']:');
  const colon = url.includes('[') && bracket > 0 ? bracket + 1 : url.indexOf(':');
  const slash = url.indexOf('/');
  if (colon <= 0 || (slash >= 0 && slash < colon)) return null;
  const authority = url.slice(0, colon);
  const path = url.slice(colon + 1);
  // `helper::address` starts a program of git's
  return /^[A-Za-z]$/.test(authority) || path.startsWith(':') ? null : { authority, path };
}

function hostName(authority: string): string | null {
  const place = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const match = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{0,5})?$/u.exec(place);
  const host = match?.[1]?.replace(/\.$/, '').replace(/^www\.(?=.+\.)/, '');
  if (host === undefined || !/[\p{L}\p{N}]/u.test(host)) return null;
  return sameForge[host] ?? host;
}

function pathSegments(path: string, host: string): string[] | null {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .map(decoded);
  if (host === 'dev.azure.com') {
    if (segments[0] === 'v3') segments.shift();
    if (segments.at(-2) === '_git') segments.splice(-2, 1);
  }
  const last = segments.pop()?.replace(/\.git$/i, '');
  if (last === undefined) return null;
  // `owner/repo/.git`: the folder of the repository was given instead of the repository
  const whole = last === '' ? segments : [...segments, last];
  const bad = whole.length === 0 || whole.some((segment) => segment === '..' || /[\p{Cc}/\\]/u.test(segment));
  return bad ? null : whole;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
