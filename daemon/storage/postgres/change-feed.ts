// How a daemon hears of what others did. PostgreSQL wakes it (LISTEN), and what there is to know it reads itself, by number: every write
// transaction is alone, so numbers are given in the order of commits, and whoever has read up to one has missed nothing before it. A lost
// connection therefore costs time and no change; a look every two seconds covers a wake-up call that never came.
// The same connection holds the lock of the daemon that does the upkeep for all: when it dies, PostgreSQL gives the lock to the next.
import type { Client } from 'pg';
import type { ChangeEvent } from '#daemon/kernel/events.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { type ChangeRow, changeToEvent } from '../change-log.ts';
import type { ThingKey } from '../search-types.ts';
import {
  channel,
  clientConfig,
  cutOff,
  leaderLock,
  loadPostgres,
  lockClass,
  type PostgresSource,
  sessionSettings,
} from './connection.ts';
import { isAway, postgresProblem } from './postgres-errors.ts';
import { setLost } from './pulse.ts';
import { storeFacts } from './store-mark.ts';

export type FeedListener = {
  /** Changes of other daemons, in order. */
  changed(events: readonly ChangeEvent[]): void;
  /** Things whose vectors or filter keys another daemon changed. */
  rewritten(keys: readonly (ThingKey & { readonly rev: number })[]): void;
  /** The whole store has become another one: a backup was restored. Nothing more is told of the former. */
  replaced(): void;
  /** The model whose vectors the store has, as often as it is read. */
  model(modelId: string | null): void;
  /** This daemon does the upkeep from now on. */
  lead(): Promise<void>;
  /** Another one may do it by now. */
  follow(): void;
  /** The database does not answer any more: what waits for it is to be given up. */
  lost(): void;
};

export type ChangeFeed = {
  /** Begins to follow, from what is committed now. Throws `unavailable` when the database cannot be reached. */
  start(listener: FeedListener): Promise<void>;
  isLeading(): boolean;
  isConnected(): boolean;
  /** How long ago everything was read that others had done by then. */
  behindMs(): number;
  close(): Promise<void>;
};

type Cursor = { log: number; outbox: number };

const lookEveryMs = 2_000;
const pageRows = 500;
/** An answer that does not come in this time will not come: the network is cut. */
const answerTimeoutMs = 3_500;
/** A thread that stood still finds its timer run out and the answer there: it takes the answer. */
const graceMs = 500;

export function createChangeFeed({ source, logger }: { source: PostgresSource; logger: Logger }): ChangeFeed {
  let listener: FeedListener | null = null;
  let client: Client | null = null;
  let cursor: Cursor | null = null;
  let mark: string | null = null;
  let caughtUpMs = performance.now();
  let leading = false;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let round: Promise<void> | null = null;
  let isAsked = false;
  let led: Promise<void> = Promise.resolve();

  async function connect(): Promise<Client> {
    const { Client } = await loadPostgres();
    const opened = withinTime(new Client(clientConfig(source)));
    opened.on('error', () => lose(opened));
    opened.on('end', () => lose(opened));
    opened.on('notification', look);
    try {
      await opened.connect();
      await opened.query(sessionSettings(source));
      await opened.query(`LISTEN ${channel}`);
    } catch (error) {
      cutOff(opened);
      throw error;
    }
    return opened;
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = null;
    stopLeading();
    if (closed) return;
    logger.warn({}, 'the connection that follows the team database ended');
    look(); // it may be this connection alone
  }

  /** Until the database is found again, all that is asked of it is refused at once. */
  function giveUp(): void {
    if (closed) return;
    setLost(source.pulse, true);
    listener?.lost();
  }

  function stopLeading(): void {
    if (!leading) return;
    leading = false;
    listener?.follow();
  }

  /** One round at a time; asked while it works, it looks once more. */
  function look(): void {
    isAsked = true;
    if (round !== null || closed) return;
    round = lookAll()
      .catch((error: unknown) => {
        logger.warn({ err: postgresProblem(error) }, 'the team database could not be followed');
        if (isAway(error)) giveUp();
        const broken = client;
        if (broken === null) return;
        lose(broken);
        cutOff(broken);
      })
      .finally(() => {
        round = null;
      });
  }

  async function lookAll(): Promise<void> {
    do {
      isAsked = false;
      client ??= await connect();
      setLost(source.pulse, false);
      await catchUp(client);
      caughtUpMs = performance.now();
      if (!leading && !closed && (await tryToLead(client))) {
        leading = true;
        led = beginToLead(client);
      }
    } while (isAsked && !closed);
  }

  /** Beside the rounds: what it does may wait for the database, and the rounds are what notices that the database is gone. */
  async function beginToLead(present: Client): Promise<void> {
    try {
      await listener?.lead();
      if (!leading) listener?.follow(); // it was lost meanwhile
    } catch (error) {
      logger.warn({ err: postgresProblem(error) }, 'the upkeep of the team database could not begin');
      lose(present);
      cutOff(present);
    }
  }

  async function catchUp(present: Client): Promise<void> {
    const facts = await storeFacts(present);
    if (cursor === null) {
      cursor = await newest(present);
      mark = facts.mark;
      return;
    }
    if (facts.mark !== mark) {
      mark = facts.mark;
      cursor = await newest(present);
      listener?.replaced();
      return;
    }
    listener?.model(facts.modelId);
    await pages(present, outboxPage, cursor.outbox, (rows, last) => {
      const keys = rows as unknown as (ThingKey & { rev: number })[];
      if (keys.length > 0) listener?.rewritten(keys);
      (cursor as Cursor).outbox = last;
    });
    await pages(present, logPage, cursor.log, (rows, last) => {
      if (rows.length > 0) listener?.changed((rows as unknown as ChangeRow[]).map(changeToEvent));
      (cursor as Cursor).log = last;
    });
  }

  async function pages(
    present: Client,
    statement: string,
    from: number,
    take: (foreign: Record<string, unknown>[], last: number) => void,
  ): Promise<void> {
    for (let after = from; ; ) {
      const { rows } = await present.query(statement, [after]);
      const last = rows.at(-1)?.seq as number | undefined;
      if (last === undefined) return;
      take(
        rows.filter((row) => row.origin !== source.name),
        last,
      );
      after = last;
      if (rows.length < pageRows) return;
    }
  }

  return {
    async start(given) {
      listener = given;
      try {
        await lookAll();
        await led;
      } catch (error) {
        throw postgresProblem(error);
      }
      timer = setInterval(look, lookEveryMs);
      timer.unref();
    },
    isLeading: () => leading,
    isConnected: () => client !== null,
    behindMs: () => performance.now() - caughtUpMs,
    async close() {
      closed = true;
      if (timer !== null) clearInterval(timer);
      await round;
      await led;
      const last = client;
      client = null;
      leading = false;
      await last?.end().catch(() => undefined);
    },
  };
}

const outboxPage = `SELECT seq, kind, thing_id AS id, rev, origin FROM outbox WHERE seq > $1 ORDER BY seq LIMIT ${pageRows}`;
const logPage = `SELECT seq, user_id, kind, thing_id, action, origin FROM change_log WHERE seq > $1 ORDER BY seq LIMIT ${pageRows}`;

/** A client whose every query fails when no answer comes: then nothing answers. */
function withinTime(client: Client): Client {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  client.query = (async (...given: unknown[]) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        timer = setTimeout(() => reject(new Error('query read timeout')), graceMs);
      }, answerTimeoutMs);
    });
    try {
      return await Promise.race([query(...given), late]);
    } finally {
      clearTimeout(timer);
    }
  }) as typeof client.query;
  return client;
}

async function newest(client: Client): Promise<Cursor> {
  const { rows } = await client.query(
    'SELECT (SELECT coalesce(max(seq), 0) FROM change_log) AS log, (SELECT coalesce(max(seq), 0) FROM outbox) AS outbox',
  );
  return rows[0] as Cursor;
}

async function tryToLead(client: Client): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1, $2) AS taken', [lockClass, leaderLock]);
  return rows[0]?.taken === 1;
}
