// The model that a store's vectors are of, made again as the store says it was chosen.
import { createAbsentModel } from '#daemon/embeddings/absent-model.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import { type ModelChoice, readSource } from '#daemon/storage/vectors/store-model.ts';

export type StoreModel = { readonly embedder: Embedder; readonly source: ModelChoice | null };

/** Never throws for a model that cannot be had: then it is one that says so. */
export async function modelOfStore(
  database: Database,
  modelId: string,
  open: (choice: ModelChoice) => Embedder,
): Promise<StoreModel> {
  const source = await readSource(database.db);
  if (source === null) return { embedder: createAbsentModel(modelId), source };
  try {
    const embedder = open(source);
    if (embedder.modelId === modelId) return { embedder, source };
    await embedder.close();
  } catch {
    // what cannot be made here cannot serve here
  }
  return { embedder: createAbsentModel(modelId), source };
}
