import type { MemoryDeps } from '#daemon/memories/index.ts';
import type { Gathered, GatherRequest } from '#daemon/transcripts/gather.ts';

export type HookSettings = {
  /** Most memories of one recall; 0 turns it off. */
  readonly recallLimit: number;
  readonly recallTokens: number;
  /** Least cosine of an injected memory; null means calibrated to the model. */
  readonly floor: number | null;
  /** What a secret in swept text does: it is taken out, or its statement is left out. */
  readonly secrets: 'redact' | 'refuse';
};

export type HookDeps = {
  readonly memories: MemoryDeps;
  readonly settings: HookSettings;
  /** Where hooks leave what a sleeping daemon could not take. */
  readonly spoolFolder: string;
  readonly gather: (request: GatherRequest, signal: AbortSignal) => Promise<Gathered>;
};
