import { LociError } from '#shared/errors.ts';

/**
 * What a model answers that the caller has named. One that is away is the caller's to start or to name otherwise, while the daemon serves as
 * before: `conflict`, because a client tries again by itself what is `unavailable`.
 */
export async function askNamedModel<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
    throw new LociError('conflict', error.message, error.details);
  }
}
