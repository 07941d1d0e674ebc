// The bytes of moving out and in. Lines are written to Node's own response, because only there can be seen that the reader has not
// taken them yet: a pipe that is slow, or `head`, then slows the export down or ends it, and nothing piles up in the daemon.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { readArguments } from '#daemon/kernel/read-arguments.ts';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import type { UploadFile } from '#daemon/kernel/transfer-streams.ts';
import { exportQuery, maxPartBytes } from '#shared/contract/transfer.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import { requestToContext } from './call-context.ts';
import type { HttpDeps, HttpEnv } from './http-deps.ts';
import { readBytes } from './read-body.ts';
import { readQuery } from './read-query.ts';
import { waitUntilReady } from './ready.ts';

/** `GET /api/v1/export`: everything of the caller as JSON lines. An answer that breaks off is not a whole one, and HTTP says so. */
export async function streamExport(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  if (deps.openExport === undefined) throw new LociError('unavailable', 'This daemon exports nothing.');
  const given = Object.fromEntries([...readQuery(c.req.url)].map(([name, values]) => [name, values.at(-1)]));
  const read = readArguments(exportQuery, given, { nullIsAbsent: true });
  const query = exportQuery.safeParse(read);
  if (!query.success) throw issuesToError(query.error.issues, exportQuery, read);
  await waitUntilReady(deps);
  const { project = null, include_obsolete: includeObsolete } = query.data;
  const lines = await deps.openExport({ project, includeObsolete }, requestToContext(c));
  const { outgoing } = c.env;
  outgoing.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  try {
    for await (const part of lines) {
      if (!outgoing.writable) break;
      if (!outgoing.write(part)) await drained(outgoing);
    }
    outgoing.end();
  } catch (error) {
    deps.logger.warn({ err: error }, 'an export broke off');
    outgoing.destroy();
  }
  return RESPONSE_ALREADY_SENT;
}

/** `PUT /api/v1/imports/:import_id/content?offset=N&file=content|wal`: a part of an upload, whatever its type says. */
export async function takePart(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  if (deps.receiveImport === undefined) throw new LociError('unavailable', 'This daemon imports nothing.');
  const query = readQuery(c.req.url);
  const offset = wholeNumber(query.get('offset')?.at(-1) ?? '0');
  const file = query.get('file')?.at(-1) ?? 'content';
  if (file !== 'content' && file !== 'wal') throw invalidField('file', '`file` must be content or wal.');
  const bytes = await readBytes(c.env.incoming, maxPartBytes);
  await waitUntilReady(deps);
  const part = { importId: c.req.param('import_id') ?? '', file: file as UploadFile, offset, bytes };
  return c.json(await deps.receiveImport(part, requestToContext(c)));
}

function wholeNumber(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw invalidField('offset', '`offset` must be a whole number of bytes.');
}

function drained(outgoing: HttpEnv['Bindings']['outgoing']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.once('drain', done).once('close', done);
  });
}
