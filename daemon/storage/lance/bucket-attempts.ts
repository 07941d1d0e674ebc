// Work on a table in a bucket, and what becomes of it when it fails. A bucket that is away or says no is left alone for some seconds, with a
// sentence for `loci status`; the process that had the connection goes, because a connection that began without an answer goes on without
// half of what it should know. A table that cannot be read is the business of the daemon that writes it: it builds it again, once.
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { type LanceClient, LanceFailure } from './lance-client.ts';
import { objectStoreTrouble } from './object-store.ts';

export type BucketAttempts = {
  /** Runs work; throws `unavailable` while the bucket is left alone, and when the work fails for good. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  isAway(): boolean;
  /** Why the last work failed, or null. */
  trouble(): string | null;
};

export type BucketAttemptsDeps = {
  readonly client: LanceClient;
  readonly logger: Logger;
  readonly isLeading: () => boolean;
  /** Builds the table again. */
  readonly rebuild: () => Promise<unknown>;
  /** What was open is not any more. */
  readonly closed: () => void;
};

/** After so long a bucket that was away is tried again. */
const retryMs = 5_000;
/** A table that could not be built again is left alone for this long. */
const retryBuildMs = 60_000;
const unreadable =
  'The vector table of the team cannot be read; searches are exact meanwhile. `loci logs` has the details.';
const slow = 'The object store of `vectors.url` did not answer in time; searches are exact meanwhile.';

export function createBucketAttempts(deps: BucketAttemptsDeps): BucketAttempts {
  let trouble: string | null = null;
  let awayUntilMs = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    const done = await work();
    trouble = null;
    return done;
  }

  async function giveUp(error: Error, sentence: string, forMs = retryMs): Promise<LociError> {
    if (trouble !== sentence) deps.logger.error({ err: error }, sentence);
    trouble = sentence;
    awayUntilMs = performance.now() + forMs;
    deps.closed();
    await deps.client.release();
    return new LociError('unavailable', sentence);
  }

  /** What the error says of the bucket; null where the table itself may be damaged. */
  function sayingOf(error: unknown): string | null {
    if (error instanceof LanceFailure) return objectStoreTrouble(error.message);
    if (error instanceof LociError && error.details.cause === 'vector_timeout') return slow;
    throw error;
  }

  async function runAnew<T>(cause: LanceFailure, work: () => Promise<T>): Promise<T> {
    deps.closed();
    if (!deps.isLeading()) throw await giveUp(cause, unreadable);
    deps.logger.error({ err: cause }, 'the vector table of the team is damaged and is built again');
    try {
      await deps.rebuild();
      return await run(work);
    } catch (error) {
      throw await giveUp(error as Error, sayingOf(error) ?? unreadable, retryBuildMs);
    }
  }

  return {
    async attempt(work) {
      if (performance.now() < awayUntilMs) throw new LociError('unavailable', trouble ?? unreadable);
      try {
        return await run(work);
      } catch (error) {
        const saying = sayingOf(error);
        if (saying !== null) throw await giveUp(error as Error, saying);
        return runAnew(error as LanceFailure, work);
      }
    },
    isAway: () => performance.now() < awayUntilMs,
    trouble: () => trouble,
  };
}

/** What comes in time, or null; a failure in time is thrown. */
export function inTime<T>(answer: Promise<T>, withinMs: number): Promise<T | null> {
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
    timer.unref();
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
