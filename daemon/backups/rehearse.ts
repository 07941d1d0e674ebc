// A backup that nobody has ever restored is a hope. So once a week the newest is brought back in a folder of its own, opened by the code
// that opens the store, and asked for some of its memories: by their words, and by what they mean.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { createRetrievalByReader } from '#daemon/retrieval/retrieve-by-reader.ts';
import type { RetrievalQueries } from '#daemon/retrieval/retrieve-in-reader.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import type { VectorModel } from '#daemon/storage/lance/lance-facts.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { ScopeFilter } from '#daemon/storage/search-types.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import { createVectors } from '#daemon/storage/vectors/create-vectors.ts';
import { passagesOf } from '#daemon/storage/vectors/store-vectors.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { LociError } from '#shared/errors.ts';
import { workFolder } from './backup-folder.ts';
import { fileMember } from './backup-tasks.ts';
import { refuseOtherEngine } from './copy-of-store.ts';
import type { BackupDeps } from './deps.ts';

/** How many memories are looked for. */
const sampleSize = 5;
/** Among so many hits each must be: others may say nearly the same. */
const hitsLookedAt = 50;

export type Rehearsal = { readonly memories: number; readonly byKeyword: number; readonly byMeaning: number };

type Copy = {
  readonly database: Database;
  readonly reader: Reader<RetrievalQueries>;
  readonly embedder: Embedder;
};
type Sample = { id: number; userId: number; rev: number; status: string; text: string };

/** Throws `conflict` where the backup cannot be opened or does not give back what it holds. */
export async function rehearseRestore(
  deps: BackupDeps,
  archive: string,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<Rehearsal> {
  const { clock, logger } = deps;
  // not below the temporary folder of all: a kill would leave a copy of everything there for good
  const folder = workFolder(deps.files.backups);
  try {
    const { manifest } = await deps.runTask('unpack', { archive, folder }, signal);
    refuseOtherEngine(deps, manifest);
    const file = join(folder, fileMember);
    const database = await openDatabase({ file, clock });
    const reader = createReader<RetrievalQueries>({ source: { file }, logger });
    const found = await askCopy({ database, reader, embedder }, (model) =>
      createVectors({ database, reader, clock, logger, folder: join(folder, 'vectors'), model }),
    );
    return { memories: manifest.memories, ...found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks a restored copy for some of its memories, then closes it. Throws `conflict` where one is not found. */
export async function askCopy(
  { database, reader, embedder }: Copy,
  openVectors: (model: () => VectorModel) => VectorIndex,
): Promise<Omit<Rehearsal, 'memories'>> {
  const modelId = (await modelOf(database)) ?? embedder.modelId;
  const vectors = openVectors(() => ({ modelId, dimensions: embedder.dimensions }));
  const retrieval = createRetrievalByReader({ reader, vectors, embedder });
  const found = { byKeyword: 0, byMeaning: 0 };
  try {
    for (const memory of await sampleOf(database)) {
      const filter = filterOf(memory);
      const request = { text: memory.text, filter, mode: 'keyword', limit: hitsLookedAt } as const;
      expectHit((await retrieval.retrieve(request)).hits, memory, 'its words');
      found.byKeyword += 1;
      const vector = await vectorOf(database, memory, modelId, embedder);
      if (vector === null) continue;
      const { hits } = await vectors.search({ vector, modelId, filter, limit: hitsLookedAt });
      expectHit(hits, memory, 'its meaning');
      found.byMeaning += 1;
    }
    return found;
  } finally {
    await vectors.close();
    await reader.close();
    await database.close();
  }
}

/** As a search would make it, by the model; from the backup itself where that model is not there. Null where the memory has none. */
async function vectorOf(database: Database, memory: Sample, modelId: string, embedder: Embedder) {
  const [stored] = await passagesOf(database.db, { kind: 'memory', id: memory.id, rev: memory.rev, modelId });
  if (stored === undefined || embedder.modelId !== modelId) return stored?.vector ?? null;
  try {
    const [vector = null] = await embedder.embed([memory.text], { lane: 'bulk', purpose: 'passage' });
    return vector ?? stored.vector;
  } catch {
    return stored.vector;
  }
}

async function modelOf({ db }: Database): Promise<string | null> {
  const row = await db
    .selectFrom('store_facts')
    .select('value')
    .where('key', '=', 'embedding.model')
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Spread over the ids, so that old and new ones are asked for. */
async function sampleOf({ db }: Database): Promise<Sample[]> {
  const { last } = await db
    .selectFrom('memories')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const sample = new Map<number, Sample>();
  for (let at = 0; at < sampleSize; at += 1) {
    const memory = await db
      .selectFrom('memories')
      .select(['id', 'user_id as userId', 'rev', 'status', 'content as text'])
      .where('id', '>=', Math.floor(((last ?? 0) * at) / sampleSize))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (memory !== undefined && /[\p{L}\p{N}]/u.test(memory.text)) sample.set(memory.id, memory);
  }
  return [...sample.values()];
}

function filterOf({ userId, status }: Sample): ScopeFilter {
  return { userId, kinds: ['memory'], statuses: [status], projectIds: null, types: null };
}

function expectHit(hits: readonly { id: number }[], memory: Sample, by: string): void {
  if (hits.some(({ id }) => id === memory.id)) return;
  throw new LociError(
    'conflict',
    `The newest backup was restored on trial and memory ${memory.id} was not found by ${by}.`,
  );
}
