// What LanceDB holds against what it should hold, row by row and by rev. Both sides come in pages or packed arrays, and the main thread
// takes a breath between pages: 100,000 rows must not stop it.

import type { OutboxKey } from '../outbox.ts';
import type { Reader, ReaderQueries } from '../reader.ts';
import type { ThingKey } from '../search-types.ts';
import type { LanceClient } from './lance-client.ts';
import type { TableFact } from './lance-facts.ts';
import { nameToKey, rowId } from './lance-names.ts';

/** Counts of rows, and the things they belong to. */
export type Differences = {
  readonly missing: number;
  readonly stale: number;
  readonly orphans: number;
  /** Things of which the table has a row twice. */
  readonly doubled: ThingKey[];
  readonly keys: OutboxKey[];
};

const pageRows = 2_000;

export async function findDifferences(
  { client, reader }: { readonly client: LanceClient; readonly reader: Reader },
  { table, modelId }: TableFact,
): Promise<Differences> {
  const { held: revs, twice } = await heldRevs(client, table);
  const keys = new Map<string, OutboxKey>();
  const note = (key: ThingKey, rev: number) => keys.set(`${key.kind}:${key.id}`, { kind: key.kind, id: key.id, rev });
  let [missing, stale] = [0, 0];
  for (let after: number | null = 0; after !== null; ) {
    const page: ReaderQueries['revisionPage'][1] = await reader.ask('revisionPage', {
      modelId,
      after,
      limit: pageRows,
    });
    for (const row of page.rows) {
      const held = revs.get(rowId(row));
      revs.delete(rowId(row));
      if (held === row.rev) continue;
      if (held === undefined) missing += 1;
      else stale += 1;
      note(row, row.rev);
    }
    after = page.next;
  }
  // a thing that is gone has no rev any more: 0 leaves any newer entry as it is
  for (const id of revs.keys()) note(nameToKey(id), keys.get(nameOfThing(id))?.rev ?? 0);
  const orphans = revs.size;
  for (const id of twice) note(nameToKey(id), keys.get(nameOfThing(id))?.rev ?? 0);
  const doubled = [...new Set(twice.map(nameOfThing))].map(nameToKey);
  return { missing, stale, orphans, doubled, keys: [...keys.values()] };
}

function nameOfThing(rowId: string): string {
  return rowId.slice(0, rowId.lastIndexOf(':'));
}

async function heldRevs(client: LanceClient, table: string): Promise<{ held: Map<string, number>; twice: string[] }> {
  const { ids, revs } = await client.ask('revisions', { table });
  const held = new Map<string, number>();
  const twice: string[] = [];
  for (const [index, id] of ids.entries()) {
    if (held.has(id)) twice.push(id);
    held.set(id, revs[index] as number);
    if (index % pageRows === pageRows - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return { held, twice };
}
