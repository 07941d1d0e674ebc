// The retrieval room over a real keyword index and exact vectors, without the daemon around it: what fitting needs is every candidate
// with every feature, which no API shows. All scopes of a set share one store, as projects of one user do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#daemon/kernel/clock.ts';
import { embeddedText, type MemoryText } from '#daemon/memories/memory.ts';
import type { CandidateDeps } from '#daemon/retrieval/candidates.ts';
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import { featuresOfThings } from '#daemon/storage/reader-queries/features.ts';
import { keywordCandidates } from '#daemon/storage/reader-queries/keyword-candidates.ts';
import type { ScopeFilter, VectorHit } from '#daemon/storage/search-types.ts';
import { openDatabase, type SqliteDatabase } from '#daemon/storage/sqlite.ts';
import type { CachedEmbedder } from './cached-embedder.ts';
import type { BenchMemory } from './data-sets.ts';

export type BenchStore = CandidateDeps & {
  filterOf(scope: string): ScopeFilter;
  docIdOf(id: number): string;
  close(): Promise<void>;
};

type Row = { id: number; projectId: number; vectors: Float32Array[] };

export async function createBenchStore(
  memories: readonly BenchMemory[],
  embedder: CachedEmbedder,
): Promise<BenchStore> {
  const folder = mkdtempSync(join(tmpdir(), 'loci-eval-'));
  const database = await openDatabase({ file: join(folder, 'loci.db'), clock: systemClock });
  const scopes = [...new Set(memories.map(({ scope }) => scope))];
  const rows: Row[] = [];
  for (const [index, memory] of memories.entries()) {
    const passages = await embedder.split(embeddedText(asText(memory)));
    const vectors = await embedder.embed(passages, { purpose: 'passage' });
    rows.push({ id: index + 1, projectId: scopes.indexOf(memory.scope) + 1, vectors });
  }
  writeAll(database, memories, rows);
  const rowById = new Map(rows.map((row) => [row.id, row]));

  return {
    reader: { ask: (async (name: string, argument: unknown) => answer(database, name, argument)) as Reader['ask'] },
    embedder: { modelId: embedder.modelId, embed: (texts, { purpose }) => embedder.embed(texts, { purpose }) },
    vectors: {
      search: async ({ vector, filter, limit }) => searchExactly(rows, vector, filter, limit),
      cosines: async (vector, _modelId, things) =>
        things.map(({ id }) => bestCosine(rowById.get(id)?.vectors ?? [], vector)?.similarity ?? null),
    },
    filterOf: (scope) => ({
      userId: 1,
      kinds: ['memory'],
      statuses: ['active'],
      projectIds: [scopes.indexOf(scope) + 1],
      types: null,
    }),
    docIdOf: (id) => memories[id - 1]?.docId ?? '',
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function asText(memory: BenchMemory): MemoryText {
  return {
    title: memory.title ?? null,
    content: memory.content,
    context: null,
    problem: null,
    solution: null,
    concepts: memory.concepts ?? [],
    tags: memory.tags ?? [],
    files: memory.files ?? [],
    category: null,
    key: null,
    author: memory.author ?? null,
  };
}

function answer(database: SqliteDatabase, name: string, argument: unknown): unknown {
  if (name === 'keywordCandidates') return keywordCandidates(database.raw, argument as never);
  return featuresOfThings(database.raw, argument as never);
}

function writeAll({ raw }: SqliteDatabase, memories: readonly BenchMemory[], rows: readonly Row[]): void {
  const insert = raw.prepare(
    `INSERT INTO searchables(kind, thing_id, user_id, status, type, projects, session, rev, title, body, labels, meta, features)
      VALUES ('memory', ?, 1, 'active', 'fact', ?, ?, 1, ?, ?, ?, ?, ?)`,
  );
  raw.transaction(() => {
    for (const [index, memory] of memories.entries()) {
      const { title, body, labels, meta } = indexTextOf({
        title: memory.title ?? null,
        texts: [memory.content],
        labels: [...(memory.concepts ?? []), ...(memory.tags ?? []), ...(memory.files ?? [])],
        names: [memory.author ?? null],
        dates: [memory.occurredAtMs ?? null],
      });
      const features = featuresOf({
        text: memory.content,
        author: memory.author ?? null,
        sequence: memory.sequence ?? null,
      });
      const projects = `,${rows[index]?.projectId},`;
      insert.run(index + 1, projects, memory.session ?? null, title, body, labels, meta, JSON.stringify(features));
    }
  })();
}

function searchExactly(rows: readonly Row[], vector: Float32Array, filter: ScopeFilter, limit: number) {
  const hits: VectorHit[] = [];
  for (const { id, projectId, vectors } of rows) {
    if (filter.projectIds?.includes(projectId) === false) continue;
    const best = bestCosine(vectors, vector);
    if (best !== null) hits.push({ kind: 'memory', id, rev: 1, ...best });
  }
  const mean = hits.reduce((sum, { similarity }) => sum + similarity, 0) / hits.length;
  const variance = hits.reduce((sum, { similarity }) => sum + (similarity - mean) ** 2, 0) / hits.length;
  hits.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
  return { hits: hits.slice(0, limit), noise: { mean, deviation: Math.sqrt(variance), rows: hits.length } };
}

function bestCosine(
  vectors: readonly Float32Array[],
  query: Float32Array,
): { similarity: number; passage: number } | null {
  let best: { similarity: number; passage: number } | null = null;
  for (const [passage, vector] of vectors.entries()) {
    let similarity = 0;
    for (let index = 0; index < vector.length; index += 1) similarity += (vector[index] ?? 0) * (query[index] ?? 0);
    if (best === null || similarity > best.similarity) best = { similarity, passage };
  }
  return best;
}
