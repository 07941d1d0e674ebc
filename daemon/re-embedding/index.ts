// The door of the room that embeds everything anew.
export type { ReEmbeddingDeps } from './deps.ts';
export { modelOfStore } from './model-of-store.ts';
export { reEmbeddingOperations } from './re-embedding.operations.ts';
export { createReEmbedding, type ReEmbedding } from './re-embedding.ts';
