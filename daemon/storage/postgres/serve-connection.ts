// The thread that holds the reader's connection. A question that finds the connection lost is asked once more over a new one: it changes
// nothing.
import { workerData } from 'node:worker_threads';
import type { Client } from 'pg';
import { clientConfig, cutOff, loadPostgres, sessionSettings } from './connection.ts';
import type { FromConnection, PostgresWorkerData, ToConnection } from './connection-messages.ts';
import { isAway } from './postgres-errors.ts';
import { isLost } from './pulse.ts';

type Question = Exclude<ToConnection, string>;

export function serveConnection(): void {
  const { source, port, signal, isSnapshot } = workerData as PostgresWorkerData;
  let client: Promise<Client> | null = null;

  async function connect(): Promise<Client> {
    const { Client } = await loadPostgres();
    const opened = new Client(clientConfig(source));
    opened.on('error', () => {
      client = null;
    });
    await opened.connect();
    await opened.query(sessionSettings(source, { readOnly: true }));
    if (isSnapshot) {
      await opened.query('SET idle_in_transaction_session_timeout = 0');
      await opened.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    }
    return opened;
  }

  async function query({ text, values, name }: Question) {
    client ??= connect();
    const present = client;
    try {
      return await (await present).query({
        text,
        values: [...values],
        rowMode: 'array',
        ...(name === undefined ? {} : { name }),
      });
    } catch (error) {
      if (client === present && isAway(error)) client = null;
      throw error;
    }
  }

  async function answer(question: Question): Promise<FromConnection> {
    const { id } = question;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { fields, rows } = await query(question);
        return { id, fields: fields.map(({ name }) => name), rows: rows as unknown[][] };
      } catch (error) {
        // a snapshot that is lost cannot be had again
        if (attempt === 1 && isAway(error) && !isSnapshot && !isLost(source.pulse)) continue;
        const { code } = error as { code?: unknown };
        return { id, message: (error as Error).message, code: typeof code === 'string' ? code : null };
      }
    }
  }

  function drop(): void {
    client?.then(cutOff, () => undefined);
    client = null;
  }

  port.on('message', async (message: ToConnection) => {
    if (message === 'drop') {
      drop();
      return;
    }
    if (message === 'close') {
      await (await client?.catch(() => null))?.end().catch(() => undefined);
      port.close();
      return;
    }
    port.postMessage(await answer(message));
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}
