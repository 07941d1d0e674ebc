// `loci doctor --repair`: the daemon alone writes the store, so it is the one that repairs it, also where it cannot open it; it is started
// for that if need be.
import { type ConnectionOptions, createConnection } from '#clients/connect/connection.ts';
import { LociError } from '#shared/errors.ts';
import { broken, type Finding, ok } from './check.ts';

const about = 'repair';

type Repaired = {
  readonly fault: string | null;
  readonly backup: string | null;
  readonly recovered: number;
  readonly restored: number;
  readonly set_aside: string | null;
};

/** Has the daemon examine the database, and make it whole where it is damaged; answers what came of it. */
export async function repairStore(here: Pick<ConnectionOptions, 'paths' | 'env' | 'program'>): Promise<Finding> {
  const connection = createConnection({ ...here, server: null, folder: null, agent: 'loci-doctor' });
  try {
    return said((await connection.call('repair_database', {})) as Repaired);
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    // `loci stop` was the last word: a repair does not overrule it
    const isStopped = error.details.reachable === false;
    return broken(about, error.message, isStopped ? 'loci start && loci doctor --repair' : 'loci backup list');
  } finally {
    await connection.close();
  }
}

function said({ fault, backup, recovered, restored, set_aside: aside }: Repaired): Finding {
  if (fault === null) return ok(about, 'the database is whole: nothing was done');
  if (recovered === 0 && aside === null) return ok(about, `it was not as it should be (${fault}) and is now`);
  const more = backup === null ? '' : `, ${restored} came from ${backup}`;
  const kept = aside === null ? '' : `; the damaged files are in ${aside}, beside the database`;
  return ok(about, `it was damaged (${fault}); ${recovered} memories were read from it${more}${kept}`);
}
