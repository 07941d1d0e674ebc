// Which state of the whole store this is. A restore puts another one in its place under the feet of all daemons, with numbers of changes that
// may have been given before; by this mark each of them sees that what it holds is of a store that is gone.
import type { ClientBase } from 'pg';
import { schema } from './connection.ts';

const markKey = 'storage.mark';
const modelKey = 'embedding.model';

/** The statement that marks a store as another one; `mark` is an id. */
export function newStoreMark(mark: string): string {
  return `INSERT INTO ${schema}.store_facts (key, value) VALUES ('${markKey}', '${mark}')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}

/** The mark, null in a store that was never restored, and the model of its vectors. */
export async function storeFacts(client: ClientBase): Promise<{ mark: string | null; modelId: string | null }> {
  const { rows } = await client.query(
    `SELECT key, value FROM ${schema}.store_facts WHERE key IN ('${markKey}', '${modelKey}')`,
  );
  const factOf = (key: string): string | null => (rows.find((row) => row.key === key)?.value as string) ?? null;
  return { mark: factOf(markKey), modelId: factOf(modelKey) };
}
