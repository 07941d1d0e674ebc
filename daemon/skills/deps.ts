import type { Existing } from '#daemon/graph/index.ts';
import type { Projects } from '#daemon/projects/index.ts';
import type { Retrieval } from '#daemon/retrieval/retrieve.ts';
import type { ThingDeps } from '#daemon/things/index.ts';

/** What the use-cases of this room need. */
export type SkillDeps = ThingDeps & {
  readonly projects: Pick<Projects, 'byIds' | 'idByName'>;
  readonly retrieval: Retrieval;
  /** Which ids of a kind are the user's. */
  readonly existing: {
    readonly file?: Existing;
    readonly code_artifact?: Existing;
    readonly document?: Existing;
  };
};
