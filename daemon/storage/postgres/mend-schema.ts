// What of a team's database is derived from the rest, compared with it and made anew where it differs: places in the index and vectors of
// things that are gone, marks of vectors that are not there, counts of words and of memories. Rows and references PostgreSQL keeps itself.
import type { ClientBase } from 'pg';
import { recountThings, thingsCounted } from '../migrations/0012-list-totals.ts';
import { lockClass, type PostgresSource, withClient, writeLock } from './connection.ts';

export type Mended = {
  /** What was found wrong, in words; empty where nothing was. */
  readonly faults: readonly string[];
  /** Memories without a place in the index as they stand. */
  readonly unfiled: readonly { readonly userId: number; readonly id: number }[];
};

/** One transaction that holds up the team's writes; `isTrial` changes nothing. */
export function mendSchema(source: PostgresSource, { isTrial }: { readonly isTrial: boolean }): Promise<Mended> {
  return withClient(source, async (client) => {
    // a look reads one moment and holds nobody up
    await client.query(isTrial ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : begin);
    const faults: string[] = [];
    for (const part of parts) {
      const { rows } = await client.query(`SELECT count(*) AS n FROM (${part.wrong}) AS wrong`);
      const wrong = Number(rows[0]?.n);
      if (wrong === 0) continue;
      faults.push(`${wrong} ${part.what}`);
      if (!isTrial) for (const statement of part.mend) await client.query(statement);
    }
    const unfiled = await findUnfiled(client);
    if (unfiled.length > 0) faults.push(`${unfiled.length} memories without their words in the index`);
    await client.query('COMMIT');
    return { faults, unfiled };
  });
}

const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lockClass}, ${writeLock})`;

type Part = { readonly what: string; readonly wrong: string; readonly mend: readonly string[] };

const tableOfKind: Readonly<Record<string, string>> = {
  memory: 'memories',
  document: 'documents',
  code_artifact: 'code_artifacts',
  skill: 'skills',
  entity: 'entities',
};

const withoutThing = Object.entries(tableOfKind)
  .map(([kind, table]) => `(kind = '${kind}' AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = thing_id))`)
  .join(' OR ');

function ofThingsGone(table: string, what: string): Part {
  return {
    what,
    wrong: `SELECT 1 FROM ${table} WHERE ${withoutThing}`,
    mend: [`DELETE FROM ${table} WHERE ${withoutThing}`],
  };
}

const unembedded = `embedded = 1 AND NOT EXISTS (
  SELECT 1 FROM vectors v JOIN store_facts f ON f.key = 'embedding.model' AND f.value = v.model_id
    WHERE v.kind = searchables.kind AND v.thing_id = searchables.thing_id AND v.rev = searchables.rev)`;

const parts: readonly Part[] = [
  ofThingsGone('searchables', 'places in the index of things that are gone'),
  ofThingsGone('vectors', 'vectors of things that are gone'),
  ofThingsGone('reembedded', 'marks of things that are gone'),
  {
    what: 'things marked as embedded without a vector',
    wrong: `SELECT 1 FROM searchables WHERE ${unembedded}`,
    mend: [`UPDATE searchables SET embedded = 0 WHERE ${unembedded}`],
  },
  {
    what: 'words of the index counted wrong',
    wrong: `SELECT 1 FROM search_terms k FULL JOIN (
        SELECT w AS word, count(*) AS holders FROM searchables, unnest(tsvector_to_array(words)) AS w GROUP BY w
      ) AS c ON c.word = k.word WHERE k.holders IS DISTINCT FROM c.holders
      UNION ALL SELECT 1 FROM search_totals WHERE rows <> (SELECT count(*) FROM searchables)
        OR length <> (SELECT coalesce(sum(length), 0) FROM searchables)`,
    mend: [
      'DELETE FROM search_terms',
      "INSERT INTO search_terms (word, holders) SELECT word, ndoc FROM ts_stat('SELECT words FROM loci.searchables')",
      'UPDATE search_totals SET rows = (SELECT count(*) FROM searchables), length = (SELECT coalesce(sum(length), 0) FROM searchables)',
    ],
  },
  {
    what: 'counts of memories that are not theirs',
    wrong: `SELECT 1 FROM (SELECT user_id, status, memories FROM memory_counts WHERE memories <> 0) AS k
      FULL JOIN (SELECT user_id, status, count(*) AS memories FROM memories GROUP BY 1, 2) AS c
        ON c.user_id = k.user_id AND c.status = k.status WHERE k.memories IS DISTINCT FROM c.memories`,
    mend: [
      'DELETE FROM memory_counts',
      'INSERT INTO memory_counts (user_id, status, memories) SELECT user_id, status, count(*) FROM memories GROUP BY 1, 2',
    ],
  },
  {
    what: 'totals of lists that are not theirs',
    wrong: `SELECT 1 FROM (SELECT user_id, kind, things FROM thing_counts WHERE things <> 0) AS k
      FULL JOIN (${thingsCounted}) AS c(user_id, kind, things)
        ON c.user_id = k.user_id AND c.kind = k.kind WHERE k.things IS DISTINCT FROM c.things`,
    mend: ['DELETE FROM thing_counts', recountThings],
  },
];

async function findUnfiled(client: ClientBase): Promise<{ userId: number; id: number }[]> {
  const { rows } = await client.query(`SELECT m.user_id AS "userId", m.id FROM memories m
    LEFT JOIN searchables s ON s.kind = 'memory' AND s.thing_id = m.id AND s.rev = m.rev
    WHERE s.id IS NULL AND m.status = 'active'`);
  return rows as { userId: number; id: number }[];
}
