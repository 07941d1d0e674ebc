// The log as an endless answer. A stream holds nothing but the number of the last event it has sent: what is to be sent is read from
// the log, page by page, whether it lies in the past (a reader that came back) or was committed this moment. So nothing is missed
// between the two, the order is that of the log, and a slow reader costs no memory but its own unsent bytes; at four megabytes
// of them it is cut off, and may come back with the number it has.
import type { EventSink, EventStreamRequest, OpenEventStream } from '#daemon/kernel/event-stream.ts';
import type { Events } from '#daemon/kernel/events.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { type ChangeRow, changesBetween, newestSeq, oldestSeq } from '#daemon/storage/change-log.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { wordToAction } from './actions.ts';
import { rowToEvent } from './event-words.ts';

export type StreamDeps = {
  readonly database: Pick<Database, 'db'>;
  readonly events: Pick<Events, 'subscribe'>;
  readonly logger: Logger;
};

export type ActivityStreams = {
  readonly open: OpenEventStream;
  /** Streams that are open. */
  count(): number;
  /** Ends every stream in order; their readers come back to the next daemon with the number they have. */
  endAll(): void;
};

const maxUnsentBytes = 4 * 2 ** 20;
/** How long a reader with too much unsent may take to catch up before it is cut off. */
const patienceMs = 2_000;
const pageLength = 20;
/** A comment so often tells both sides that the other is still there. */
const heartbeatMs = 15_000;

export function createActivityStreams(deps: StreamDeps): ActivityStreams {
  const sinks = new Set<EventSink>();
  return {
    count: () => sinks.size,
    endAll: () => {
      for (const sink of sinks) sink.end();
    },
    async open(request, sink) {
      const { db } = deps.database;
      const newest = await newestSeq(db);
      if (sink.closed.aborted) return;
      sinks.add(sink);
      sink.write('retry: 2000\n: this stream is open\n\n');
      let sent = request.after ?? newest;
      if (request.after !== null) {
        const gap = gapAfter(request.after, await oldestSeq(db), newest);
        if (gap !== null) {
          sink.write(`event: gap\ndata: ${JSON.stringify(gap)}\n\n`);
          sent = gap.to;
        }
      }
      const pump = createPump(deps, request, sink, sent);
      const stopListening = deps.events.subscribe((event) => {
        if (event.userId === request.userId) pump();
      });
      const heartbeat = setInterval(() => sink.write(': still here\n\n'), heartbeatMs);
      heartbeat.unref();
      const close = (): void => {
        stopListening();
        clearInterval(heartbeat);
        sinks.delete(sink);
      };
      if (sink.closed.aborted) return close();
      sink.closed.addEventListener('abort', close, { once: true });
      pump();
    },
  };
}

/** Sends what the log holds beyond the last event sent; asked again while it works, it looks once more when it is done. */
function createPump(deps: StreamDeps, request: EventStreamRequest, sink: EventSink, from: number): () => void {
  let sent = from;
  let isBusy = false;
  let isAsked = false;

  async function sendAll(): Promise<void> {
    do {
      isAsked = false;
      const upTo = await newestSeq(deps.database.db);
      while (sent < upTo && !sink.closed.aborted) {
        const { userId } = request;
        const rows = await changesBetween(deps.database.db, { userId, after: sent, upTo, limit: pageLength });
        const frames = rows.filter((row) => isWanted(row, request)).map(frameOf);
        if (frames.length > 0 && !sink.closed.aborted) sink.write(frames.join(''));
        sent = rows.length < pageLength ? upTo : (rows.at(-1)?.seq ?? upTo);
        await takeTurn(sink);
      }
    } while (isAsked && !sink.closed.aborted);
  }

  return () => {
    isAsked = true;
    if (isBusy) return;
    isBusy = true;
    sendAll()
      .catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'a stream of events failed');
        sink.cut();
      })
      .finally(() => {
        isBusy = false;
      });
  };
}

/** Lets other work have its turn, and the reader too; one that takes nothing is cut off. */
async function takeTurn(sink: EventSink): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (sink.unsentBytes() <= maxUnsentBytes) return;
  await sink.drained(patienceMs);
  if (sink.unsentBytes() > maxUnsentBytes) sink.cut();
}

function isWanted(row: ChangeRow, { kind, action }: EventStreamRequest): boolean {
  return (kind === null || row.kind === kind) && (action === null || wordToAction(row.action) === action);
}

function frameOf(row: ChangeRow): string {
  return `id: ${row.seq}\nevent: activity\ndata: ${JSON.stringify(rowToEvent(row))}\n\n`;
}

/** What a reader can no longer get: events that are past their retention, or numbers of another store. */
function gapAfter(after: number, oldest: number | null, newest: number): { from: number; to: number } | null {
  if (after > newest) return { from: after, to: newest };
  const first = oldest ?? newest + 1;
  return after + 1 < first ? { from: after, to: first - 1 } : null;
}
