// Server-sent events: the one answer that does not end. It is written to Node's own response, because only there can be seen how
// much of it the reader has not taken.
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { EventSink } from '#daemon/kernel/event-stream.ts';
import { readArguments } from '#daemon/kernel/read-arguments.ts';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import { activityStreamQuery } from '#shared/contract/knowledge/activity.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import { requestToContext } from './call-context.ts';
import type { HttpDeps, HttpEnv } from './http-deps.ts';
import { readQuery } from './read-query.ts';
import { waitUntilReady } from './ready.ts';

/** Answers `GET /events`: what happens from now on, or from the event that `Last-Event-ID` names. */
export async function streamEvents(c: Context<HttpEnv>, deps: HttpDeps): Promise<Response> {
  const { userId, scopes } = requestToContext(c);
  if (!isAllowed(scopes, 'read:activity')) {
    throw new LociError('forbidden', "'/events' is not permitted: it needs the scope 'read:activity'.");
  }
  if (deps.openEventStream === undefined || !deps.contracts.some(({ name }) => name === 'list_activity')) {
    throw new LociError('unavailable', 'The activity log is turned off: set `categories.activity` to true.');
  }
  const query = readStreamQuery(c);
  await waitUntilReady(deps);
  const { outgoing } = c.env;
  const { ended } = c.get('caller');
  if (ended?.aborted === true) throw new LociError('unauthorized', 'This token is not valid any more.');
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const cut = (): void => void outgoing.destroy();
  ended?.addEventListener('abort', cut, { once: true });
  outgoing.once('close', () => ended?.removeEventListener('abort', cut));
  await deps.openEventStream({ userId, ...query }, createSink(outgoing));
  return RESPONSE_ALREADY_SENT;
}

function readStreamQuery(c: Context<HttpEnv>): { kind: string | null; action: string | null; after: number | null } {
  const given = Object.fromEntries([...readQuery(c.req.url)].map(([name, values]) => [name, values.at(-1)]));
  const read = readArguments(activityStreamQuery, given, { nullIsAbsent: true });
  const result = activityStreamQuery.safeParse(read);
  if (!result.success) throw issuesToError(result.error.issues, activityStreamQuery, read);
  const last = c.req.header('last-event-id') ?? result.data.last_event_id ?? '';
  return {
    kind: result.data.entity_type ?? null,
    action: result.data.action ?? null,
    after: last === '' ? null : readEventId(last),
  };
}

function readEventId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw invalidField('last-event-id', '`Last-Event-ID` must be the id of an event, a whole number.');
}

function createSink(outgoing: ServerResponse): EventSink {
  const closing = new AbortController();
  outgoing.once('close', () => closing.abort());
  return {
    write: (text) => void (outgoing.writable && outgoing.write(text)),
    unsentBytes: () => outgoing.writableLength,
    drained: (timeoutMs) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          outgoing.off('drain', done).off('close', done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        outgoing.once('drain', done).once('close', done);
      }),
    end: () => void outgoing.end(),
    cut: () => void outgoing.destroy(),
    closed: closing.signal,
  };
}
