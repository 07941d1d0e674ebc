// What the main thread and the thread of the model say to each other.
import type { Pooling } from './known-models.ts';
import type { RunGate } from './run-gate.ts';

/** What the thread is started with. */
export type WorkerStart = { readonly config: WorkerConfig; readonly gate: RunGate };

/** Which model the thread loads, and how. */
export type WorkerConfig = {
  /** What the model does: a vector for a text (the default), or a score for a question and a text. */
  readonly task?: 'embed' | 'rank';
  /** Folder that holds the model's folder. */
  readonly modelsFolder: string;
  /** The model's folder below it, or its id on the hub. */
  readonly name: string;
  readonly dtype: 'q8' | 'fp16' | 'fp32';
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Permits fetching a model that is not there. */
  readonly allowDownload: boolean;
  /** Where it is fetched from, where that is not the hub itself. */
  readonly source?: string | undefined;
};

export type WorkerRequest =
  | { readonly id: number; readonly kind: 'embed'; readonly text: string; readonly purpose: 'query' | 'passage' }
  | { readonly id: number; readonly kind: 'split'; readonly text: string }
  /** Both at once: the passages, and the vector of the first. */
  | { readonly id: number; readonly kind: 'first'; readonly text: string }
  | { readonly id: number; readonly kind: 'rank'; readonly query: string; readonly text: string }
  | { readonly kind: 'end' };

export type WorkerReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly problem: ModelProblem }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'first'; readonly id: number; readonly passages: readonly string[]; readonly vector: Float32Array }
  | { readonly kind: 'passages'; readonly id: number; readonly passages: readonly string[] }
  | { readonly kind: 'score'; readonly id: number; readonly score: number }
  | { readonly kind: 'failed'; readonly id: number };

/** Why a model cannot be loaded; `file` is a bare name, safe to show. */
export type ModelProblem = {
  readonly reason: 'missing' | 'truncated' | 'altered' | 'unreadable' | 'not fetched';
  readonly file: string;
};
