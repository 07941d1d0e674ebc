// Somebody who goes on saving whatever happens, and knows what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '#clients/connect/connection.ts';
import { type Cluster, runSql } from './cluster.ts';

export type SteadyWriter = { readonly acknowledged: readonly string[]; stop(): Promise<void> };

/** Saves one note after the other until told to stop; what was acknowledged, by content. `refused` hears of what was not. */
export function saveOn(
  connection: Connection,
  name: string,
  refused: (error: unknown) => void = () => undefined,
): SteadyWriter {
  const acknowledged: string[] = [];
  let isOver = false;
  const work = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const content = `Note ${turn} of ${name}: the number is ${turn * 7919}.`;
      try {
        await connection.call('memory_save', { content, on_duplicate: 'keep', idempotency_key: `${name}-${turn}` });
        acknowledged.push(content);
      } catch (error) {
        refused(error);
        await sleep(50);
      }
    }
  })();
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await work;
    },
  };
}

/** Every memory of the database `team`. */
export async function contentsOf(cluster: Cluster): Promise<string[]> {
  const rows = await runSql<{ content: string }>(cluster.url('team'), 'SELECT content FROM loci.memories ORDER BY id');
  return rows.map(({ content }) => content);
}
