import type { Embedder } from '#daemon/embeddings/embedder.ts';
import type { JobRun } from '#daemon/jobs/index.ts';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { ModelRun } from '#daemon/storage/vectors/store-model.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { LociPaths } from '#shared/paths.ts';
import type { Settings } from '#shared/read-settings.ts';

export type Part = { readonly status: 'ok' | 'degraded' | 'down'; readonly why?: string };

export type HealthDeps = {
  readonly database: Database;
  readonly reader: Reader;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder;
  /** Another model for everything, while it is under way or has failed; else null. */
  readonly reEmbedding: () => { readonly run: ModelRun; readonly why: string | null } | null;
  readonly projects: Projects;
  readonly clock: Clock;
  readonly paths: LociPaths;
  /** Times of the newest backup, and of the last trial that restored one. */
  readonly backups: { state(): { readonly lastAt: string | null; readonly rehearsedAt: string | null } };
  readonly settings: {
    /** Setting `decay.half_life_days`. */
    readonly halfLifeDays: number;
    /** Setting `consolidate.below`. */
    readonly fadingBelow: number;
  };
  /** Every setting that the daemon was started with. */
  readonly allSettings: Settings;
  /** How this daemon hears of the others of a team; null where it is alone. */
  readonly team: () => { readonly leads: boolean; readonly behindMs: number } | null;
  readonly startedAtMs: number;
  /** The TCP port, or null where TCP is off or taken. */
  readonly port: () => number | null;
  /** The last run of each job. */
  readonly lastRuns: () => readonly JobRun[];
};
