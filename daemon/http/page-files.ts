// The files of the page, as the build made them (scripts/build-page.mjs): a closed list, read by name, so that no path a caller
// sends ever reaches the file system. Its policy lets it run its own scripts and styles and speak to this address, nothing more.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LociError } from '#shared/errors.ts';

/** Address → type. Served without a token: nothing in them is about anybody. */
export const pageFiles: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/page.js': 'text/javascript; charset=utf-8',
  '/graph.js': 'text/javascript; charset=utf-8',
  '/layout.js': 'text/javascript; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
};

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The reply with a file of the page. Throws `unavailable` where the page was not built. */
export function pageFile(path: string): Response {
  const folder = pageFolder();
  if (folder === null) {
    throw new LociError('unavailable', 'The page is missing from this installation: run `npm run build`.');
  }
  const bytes = readFileSync(join(folder, path === '/' ? 'index.html' : path.slice(1)));
  return new Response(bytes, { headers: { ...headers, 'content-type': pageFiles[path] ?? 'text/plain' } });
}

/** `dist/web`, looked for from this module upwards: it may be source, `dist/locid.js` or one of its chunks. */
function pageFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, 'web'), join(folder, 'dist', 'web')]) {
      if (existsSync(join(candidate, 'page.js'))) return candidate;
    }
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
}
