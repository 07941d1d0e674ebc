// The frame of every page the daemon renders itself. One inline style, allowed by its hash, and nothing else: no script, no image,
// no other host, no frame around it. What a memory says can therefore never run in a page of ours.
import { createHash } from 'node:crypto';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1e21;background:#fff}
code{font-family:ui-monospace,monospace;font-size:.9em;background:#f1f2f4;padding:.1em .3em;border-radius:3px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}
h2{margin-top:2.5rem}h3{margin-bottom:.25rem}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}code{background:#262a31}td,th{border-color:#333}}`;

const styleHash = createHash('sha256').update(style).digest('base64');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;

/** A whole page; `body` is HTML whose texts went through `escapeHtml`. */
export function htmlPage(title: string, body: string): Response {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  const html = `<!doctype html>\n<html lang="en"><head>${head}<style>${style}</style></head><body>\n${body}\n</body></html>\n`;
  return new Response(html, { headers: pageHeaders });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
