import { isIP } from 'node:net';
import { LociError } from '#shared/errors.ts';

/** `path` below a base URL of the settings, whose own path is kept. Throws `invalid_input` for what is no http(s) URL. */
export function urlBelow(base: string, path: string): URL {
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new LociError('invalid_input', "'embedding.base_url' must be a URL that begins with http:// or https://.");
  }
  if (url.username !== '' || url.password !== '') {
    throw new LociError(
      'invalid_input',
      "'embedding.base_url' must not hold a name or password: give a key by its environment variable.",
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

/** True of this machine: what is sent there crosses no network. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
