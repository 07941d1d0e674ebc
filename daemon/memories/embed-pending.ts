// Vectors that a save did not wait for: the later passages of a long text, and everything saved while the model was away.
// Works through them in the background in the lowest lane, stores each by compare-and-set on the rev, and starts again when woken.
import { presentModel } from '#daemon/embeddings/active-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { enqueue } from '#daemon/storage/outbox.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database, Trx } from '#daemon/storage/sqlite.ts';
import {
  markDirectionless,
  passagesOf,
  pendingSearchables,
  writeVectors,
} from '#daemon/storage/vectors/store-vectors.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { LociError } from '#shared/errors.ts';

/** A thing as the embedder needs it; null once it is gone. */
export type PendingThing = Omit<VectorChange, 'modelId' | 'vectors'> & {
  readonly text: string;
  /** How this kind cuts its text; by the embedder's own rule unless given. */
  readonly cut?: (split: Embedder['split']) => Promise<Cut>;
};

/** What is embedded of a thing, a text a passage, in order. */
export type Cut = {
  readonly texts: readonly string[];
  /** Keeps what the kind knows of its passages, in the transaction of their vectors. */
  readonly keep?: (trx: Trx) => Promise<void>;
};

type Passage = { readonly passage: number; readonly vector: Float32Array };

export type PendingEmbeddings = {
  /** Starts working unless it already does. Cheap: every commit calls it. */
  wake(): void;
  /** Works until nothing is pending; answers how many things it embedded. */
  run(): Promise<number>;
  stop(): Promise<void>;
};

export type PendingDeps = {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly vectors: VectorIndex;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reads a thing's text by kind; each room that has searchable things adds its own. */
  readonly texts: Readonly<Record<string, (id: number) => Promise<PendingThing | null>>>;
};

/** How long to wait before trying a model again that could not be used. */
const retryAfterMs = 30_000;
const pageSize = 20;
/** Passages stored in one transaction: a document has thousands, and what is stored is not lost to a stop. */
const passagesAtOnce = 100;

export function createPendingEmbeddings(deps: PendingDeps): PendingEmbeddings {
  let working: Promise<number> | null = null;
  let again = false;
  let stopped = false;
  let retry: NodeJS.Timeout | null = null;

  return {
    wake() {
      if (stopped || retry !== null) return;
      if (working !== null) again = true;
      else void run().catch((error) => deps.logger.warn({ err: error }, 'pending embeddings stopped'));
    },
    run,
    async stop() {
      stopped = true;
      if (retry !== null) clearTimeout(retry);
      await working?.catch(() => undefined);
    },
  };

  function run(): Promise<number> {
    working ??= work().finally(() => {
      working = null;
    });
    return working;
  }

  async function work(): Promise<number> {
    let done = 0;
    let after = 0;
    do {
      again = false;
      for (;;) {
        const page = await pendingSearchables(deps.database.db, { after, limit: pageSize });
        for (const row of page) {
          if (stopped) return done;
          after = row.rowId;
          if (!(await embedOne(row.kind, row.id))) return done;
          done += 1;
        }
        if (page.length < pageSize) break;
      }
      after = 0;
    } while (again && !stopped);
    return done;
  }

  /** False when the model cannot be used now: a timer tries again. */
  async function embedOne(kind: string, id: number): Promise<boolean> {
    const thing = await deps.texts[kind]?.(id);
    if (thing === null || thing === undefined) return true;
    const model = presentModel(deps.embedder);
    try {
      const { texts, keep } = await cutOf(model, thing);
      const known = await storedPassages(model, thing, texts.length);
      const vectors = [...known.values()];
      let fresh: Passage[] = [];
      for (const [passage, text] of texts.entries()) {
        if (known.has(passage)) continue;
        const [vector = null] = await model.embed([text], { lane: 'bulk', purpose: 'passage' });
        if (stopped) return false;
        if (vector !== null) fresh.push({ passage, vector });
        if (fresh.length < passagesAtOnce) continue;
        if (!(await store(model, thing, fresh, { complete: false }))) return true;
        vectors.push(...fresh);
        fresh = [];
      }
      if (vectors.length + fresh.length === 0)
        await deps.database.write(internalContext, (trx) => markDirectionless(trx, thing));
      else if (await store(model, thing, fresh, { complete: true, keep }))
        publish(model, thing, [...vectors, ...fresh]);
      return true;
    } catch (error) {
      if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
      retry ??= setTimeout(() => {
        retry = null;
        if (!stopped) void run().catch(() => undefined);
      }, retryAfterMs);
      retry.unref();
      return false;
    }
  }

  async function cutOf(model: Embedder, { text, cut }: PendingThing): Promise<Cut> {
    return cut === undefined ? { texts: await model.split(text) } : cut((part) => model.split(part));
  }

  /** What an earlier turn that was stopped half-way has stored; of a text of few passages nothing is worth the question. */
  async function storedPassages(model: Embedder, thing: PendingThing, count: number): Promise<Map<number, Passage>> {
    if (count <= passagesAtOnce) return new Map();
    const stored = await passagesOf(deps.database.db, { ...thing, modelId: model.modelId });
    // the first one was embedded with the save, from the beginning of the text alone
    return new Map(stored.filter(({ passage }) => passage > 0 && passage < count).map((row) => [row.passage, row]));
  }

  /** False where another write has changed the text meanwhile: that write's own rev is pending by itself. */
  async function store(
    model: Embedder,
    thing: PendingThing,
    passages: readonly Passage[],
    how: { readonly complete: boolean; readonly keep?: Cut['keep'] },
  ): Promise<boolean> {
    const { complete, keep } = how;
    return deps.database.write(internalContext, async (trx) => {
      const current = await writeVectors(trx, { ...thing, modelId: model.modelId, passages, complete });
      if (!current) return false;
      if (!complete) return true;
      await keep?.(trx);
      await enqueue(trx, [thing], deps.clock.now());
      return true;
    });
  }

  function publish(model: Embedder, thing: PendingThing, vectors: readonly Passage[]): void {
    const { text: _text, cut: _cut, ...change } = thing;
    deps.vectors.publish([{ ...change, modelId: model.modelId, vectors }]);
  }
}
