// What one daemon of a team may do at a time, by name. The lock is a session's: a daemon that dies lets go of it.
import type { Exclusive } from '../exclusive.ts';
import { clientConfig, exclusiveClass, loadPostgres, type PostgresSource, sessionSettings } from './connection.ts';
import { postgresProblem } from './postgres-errors.ts';

export function createExclusive(source: PostgresSource): Exclusive {
  return async (name) => {
    const { Client } = await loadPostgres();
    const client = new Client(clientConfig(source));
    client.on('error', () => undefined); // the lock is gone with it, and what was begun goes on
    const release = async (): Promise<void> => client.end().catch(() => undefined);
    try {
      await client.connect();
      await client.query(sessionSettings(source));
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken', [
        exclusiveClass,
        name,
      ]);
      if (rows[0]?.taken === 1) return release;
    } catch (error) {
      await release();
      throw postgresProblem(error);
    }
    await release();
    return null;
  };
}
