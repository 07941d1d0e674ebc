// The truth of a team: the same `Database` as SQLite's, over a pool. Each daemon lets one of its writes at a time stand in the line for the
// lock that all share, so that its reads always find a connection.
import { Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Claim } from '#daemon/kernel/context.ts';
import { answeredElsewhere } from '#daemon/kernel/invoke.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { answerLifetimeMs, recordAnswer } from '../answers.ts';
import { insideTransaction } from '../guarded-dialect.ts';
import { createSharedWrites } from '../shared-writes.ts';
import type { Database, Trx } from '../sqlite.ts';
import type { Tables } from '../tables/schema.ts';
import { clientConfig, cutOff, loadPostgres, type PostgresSource, sessionSettings } from './connection.ts';
import { lockingDialect } from './locking-dialect.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { postgresProblem } from './postgres-errors.ts';
import { isLost } from './pulse.ts';

export type OpenPostgresOptions = {
  readonly source: PostgresSource;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type SharedDatabase = Database & {
  /** Gives up every connection: what waits for an answer over one fails now. */
  cutOff(): void;
};

const poolSize = 8;
/** How long a call may wait for a connection. */
const acquireTimeoutMs = 10_000;

/** Opens and migrates the database of a team. Throws `unavailable` when it cannot be reached or is newer than this program. */
export async function openPostgres({ source, clock, logger }: OpenPostgresOptions): Promise<SharedDatabase> {
  const { Pool, Client } = await loadPostgres();
  const first = new Client(clientConfig(source));
  first.on('error', () => undefined); // its queries tell
  try {
    await first.connect();
    await first.query(sessionSettings(source));
    await migratePostgres(first);
  } catch (error) {
    throw postgresProblem(error);
  } finally {
    await first.end().catch(() => undefined);
  }

  let isAway = false;
  const pool = new Pool({ ...clientConfig(source), max: poolSize, connectionTimeoutMillis: acquireTimeoutMs });
  const clients = watch(pool, logger, (away) => {
    isAway = away;
  });
  const db = new Kysely<Tables>({
    dialect: lockingDialect(
      {
        pool: pool as never,
        onCreateConnection: async (connection) => {
          await connection.executeQuery({ sql: sessionSettings(source), parameters: [] } as never);
        },
      },
      source.pulse,
    ),
  });
  const inTurn = createTurns();

  return {
    db,
    scans: db,
    write: (context, change) =>
      inTurn(async () => {
        try {
          const answer = await db.transaction().execute((trx) =>
            insideTransaction(async () => {
              if (context.claim !== null) await refuseAnswered(trx, context.claim, clock.now());
              const made = await change(trx);
              if (context.claim !== null) await recordAnswer(trx, context.claim, made, clock.now());
              return made;
            }),
          );
          isAway = false;
          return answer;
        } catch (error) {
          const problem = postgresProblem(error);
          isAway = problem instanceof LociError && problem.details.cause === 'postgres_away';
          throw problem;
        }
      }),
    writeTogether: createSharedWrites(db, clock, { problem: postgresProblem, inTurn }),
    // the log of PostgreSQL is its own to keep
    checkpoint: async () => true,
    isAlive: () => !isAway && !isLost(source.pulse),
    cutOff() {
      for (const client of clients) cutOff(client);
    },
    async close() {
      await db.destroy();
    },
  };
}

/** The connections that there are. An idle one may end at any time; without a listener that would end the daemon. */
function watch(pool: Pool, logger: Logger, tell: (away: boolean) => void): ReadonlySet<PoolClient> {
  const clients = new Set<PoolClient>();
  pool.on('error', (error) => {
    tell(true);
    logger.warn({ err: error }, 'a connection to the team database ended');
  });
  pool.on('connect', (client) => {
    tell(false);
    client.on('error', () => undefined); // whoever uses it hears of it
    clients.add(client);
  });
  pool.on('remove', (client) => void clients.delete(client as PoolClient));
  return clients;
}

/** A repeated request may reach another daemon than the first: what that one committed meanwhile is not done twice. */
async function refuseAnswered(trx: Trx, claim: Claim, nowMs: number): Promise<void> {
  const row = await trx
    .selectFrom('idempotent_answers')
    .select('key')
    .where('user_id', '=', claim.userId)
    .where('key', '=', claim.key)
    .where('created_at', '>', nowMs - answerLifetimeMs)
    .executeTakeFirst();
  if (row === undefined) return;
  throw new LociError('unavailable', 'Another daemon has just made this change: repeat the request for its answer.', {
    cause: answeredElsewhere,
  });
}

/** Runs one piece of work after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
