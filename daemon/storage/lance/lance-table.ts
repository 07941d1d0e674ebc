// The LanceDB table, as the vector process works on it. Each batch is one version of the table: an upsert that also deletes the passages a
// thing no longer has. Old versions must be cleaned up explicitly, or 5,000 saves leave a gigabyte.
import type { Connection, Table } from '@lancedb/lancedb';
import { LociError } from '#shared/errors.ts';
import type { VectorPageRow } from '../reader.ts';
import type { ScopeFilter, ThingKey } from '../search-types.ts';
import { keptVersionsMs } from './lance-messages.ts';
import { nameToKey, ownersFilter, scopeToWhere } from './lance-names.ts';
import { lanceSchema, lanceTableOf } from './lance-rows.ts';
import { bucketOptions, isBucket } from './object-store.ts';

/** `[argument, answer]` of what the vector process can be asked. Tables are named by their owner, the main thread. */
export type LanceQueries = {
  /** Opens a table, if there is one. */
  open: [{ readonly table: string }, { readonly exists: boolean; readonly indexed: boolean }];
  create: [{ readonly table: string; readonly dimensions: number }, null];
  /** Adds rows to a table that is being built: they must not be in it yet. */
  append: [RowBatch, null];
  /** Replaces everything of `owners` by `rows`. */
  write: [RowBatch & { readonly owners: readonly ThingKey[] }, null];
  /** Up to `limit` things of the scope near to the vector, nearest first. */
  search: [
    { readonly table: string; readonly vector: Float32Array; readonly filter: ScopeFilter; readonly limit: number },
    { readonly things: ThingKey[] },
  ];
  /** Every row's id (`kind:id:passage`) with its rev. */
  revisions: [{ readonly table: string }, { readonly ids: string[]; readonly revs: Int32Array }];
  /** Compacts and drops old versions; builds the indexes when asked to and the table is large enough. */
  optimise: [
    /** `keptMs`: how long old versions are kept for readers. */
    { readonly table: string; readonly index: boolean; readonly keptMs?: number },
    /** `superseded`: files were replaced, whose old ones are kept for a second because searches under way read them. */
    { readonly indexed: boolean; readonly superseded: boolean },
  ];
  /** Drops every table but one; only those whose name begins with `prefix`, where one is given. */
  keepOnly: [{ readonly table: string; readonly prefix?: string }, null];
  /** Bytes of the table's present version. */
  size: [{ readonly table: string }, { readonly bytes: number }];
};

type RowBatch = {
  readonly table: string;
  readonly dimensions: number;
  readonly rows: readonly VectorPageRow[];
  readonly vectors: Float32Array;
};

export type LanceTables = {
  readonly [Name in keyof LanceQueries]: (argument: LanceQueries[Name][0]) => Promise<LanceQueries[Name][1]>;
};

/** Below this a flat scan is as fast as an index. */
const indexFromRows = 1_000;
/** Candidates that the graph search keeps: recall 1.00 at 100,000 real vectors. */
const searchBreadth = 400;
/** Without limits each version of the table that was read stays in memory: 1.3 GB after 5,000 flushes. */
const cacheBytes = { index: 512n << 20n, metadata: 32n << 20n };
const vectorIndex = 'vector_idx';

/** Opens a folder, or a bucket's. LanceDB is imported here, so that its 30 MB are paid when it is first needed. */
export async function openLanceTables(place: string): Promise<LanceTables> {
  // on two cores LanceDB's own default can wait for itself for ever; read at import
  process.env.LANCE_CPU_THREADS ??= '4';
  const { connect, Index, Session } = await import('@lancedb/lancedb');
  const isShared = isBucket(place);
  const options = isShared ? bucketOptions(process.env) : {};
  const connection = await connect(place, options, new Session(cacheBytes.index, cacheBytes.metadata));
  const open = tableOpener(connection);

  return {
    async open({ table }) {
      if (!(await connection.tableNames()).includes(table)) return { exists: false, indexed: false };
      // a count reads the manifest: a damaged table says so here and not in the middle of a search
      const target = await open(table);
      await target.countRows();
      return { exists: true, indexed: await isIndexed(target) };
    },
    async create({ table, dimensions }) {
      await connection.createEmptyTable(table, lanceSchema(dimensions, { isShared }), { mode: 'overwrite' });
      open.forget(table);
      return null;
    },
    async append({ table, dimensions, rows, vectors }) {
      if (rows.length > 0) await (await open(table)).add(lanceTableOf(rows, vectors, dimensions));
      return null;
    },
    async write({ table, dimensions, rows, vectors, owners }) {
      const target = await open(table);
      const ofOwners = ownersFilter(owners);
      if (rows.length === 0) await target.delete(ofOwners);
      else {
        await target
          .mergeInsert('id')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .whenNotMatchedBySourceDelete({ where: ofOwners })
          .execute(lanceTableOf(rows, vectors, dimensions));
      }
      return null;
    },
    async search({ table, vector, filter, limit }) {
      const where = scopeToWhere(filter);
      return { things: where === null ? [] : await nearestThings(await open(table), vector, where, limit) };
    },
    async revisions({ table }) {
      const rows: { id: string; rev: number }[] = await (await open(table)).query().select(['id', 'rev']).toArray();
      return { ids: rows.map(({ id }) => id), revs: Int32Array.from(rows, ({ rev }) => rev) };
    },
    async optimise({ table, index, keptMs = keptVersionsMs }) {
      const target = await open(table);
      if (index && (await target.countRows()) >= indexFromRows && !(await isIndexed(target))) {
        await target.createIndex('id', { config: Index.btree() });
        await target.createIndex('owner', { config: Index.btree() });
        const config = Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 });
        await target.createIndex('vector', { config });
      }
      const { compaction } = await target.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) });
      return { indexed: await isIndexed(target), superseded: compaction.fragmentsRemoved > 0 };
    },
    async keepOnly({ table, prefix = '' }) {
      for (const name of await connection.tableNames()) {
        if (name === table || !name.startsWith(prefix)) continue;
        open.forget(name);
        await connection.dropTable(name);
      }
      return null;
    },
    async size({ table }) {
      return { bytes: (await (await open(table)).stats()).totalBytes };
    },
  };
}

async function isIndexed(table: Table): Promise<boolean> {
  return (await table.listIndices()).some(({ name }) => name === vectorIndex);
}

/** Asks for more rows until there are enough things: one long document must not crowd the others out. */
async function nearestThings(table: Table, vector: Float32Array, where: string, limit: number): Promise<ThingKey[]> {
  for (let rows = limit * 2; ; rows *= 4) {
    const found: { owner: string }[] = await table
      .vectorSearch(vector)
      .distanceType('cosine')
      .where(where)
      .ef(Math.max(searchBreadth, rows))
      .select(['owner', '_distance'])
      .limit(rows)
      .toArray();
    const names = new Set(found.map(({ owner }) => owner));
    if (names.size >= limit || found.length < rows || rows > limit * 100)
      return [...names].slice(0, limit).map(nameToKey);
  }
}

type TableOpener = { (name: string): Promise<Table>; forget(name: string): void };

/** Keeps one handle a table. */
function tableOpener(connection: Connection): TableOpener {
  const handles = new Map<string, Promise<Table>>();
  const open = (name: string): Promise<Table> => {
    if (!/^[a-z0-9_]+$/.test(name)) throw new LociError('internal', 'A vector table has a name that is not ours.');
    const known = handles.get(name) ?? connection.openTable(name);
    handles.set(name, known);
    known.catch(() => handles.delete(name));
    return known;
  };
  return Object.assign(open, { forget: (name: string) => void handles.delete(name) });
}
