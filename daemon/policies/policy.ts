// What a room knows of an administrator's policy: it is asked before a write and told after it. Whether a module stands behind it,
// in which thread it runs and what it does wrong is not the room's business.
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';

/** One write as a policy sees it: copies, never the room's own objects. */
export type PolicyWrite = {
  readonly operation: 'create' | 'update' | 'obsolete' | 'restore';
  /** The thing as it is; null when it is created. */
  readonly previous: unknown;
  /** The thing as it would be; after the write, as it is. */
  readonly proposed: unknown;
  /** True where nobody asked for this write itself: a plan that completes with its last task. */
  readonly automatic?: boolean;
  /** What the room found around it, for the after phase: `{ similar: [...], linked_ids: [...] }`. */
  readonly found?: unknown;
};

export type Policy = {
  /** False where no module is named: rooms then skip what only a policy needs. */
  readonly isSet: boolean;
  /** Asked outside any transaction. Throws `rejected_by_policy`, or `unavailable` where the policy fails and the mode is `enforce`. */
  before(write: PolicyWrite): Promise<readonly PluginWarning[]>;
  /** Told after the commit; it can only warn, and never throws. */
  after(write: PolicyWrite): Promise<readonly PluginWarning[]>;
};

/** The policy of a kind for which none is named. */
export const noPolicy: Policy = { isSet: false, before: async () => [], after: async () => [] };

/** Puts what a policy remarked into an answer; an answer without remarks stays as it is. */
export function withRemarks<Answer extends object>(
  answer: Answer & { plugin_warnings?: PluginWarning[] | undefined },
  warnings: readonly PluginWarning[],
): Answer & { plugin_warnings?: PluginWarning[] | undefined } {
  if (warnings.length === 0) return answer;
  return { ...answer, plugin_warnings: [...(answer.plugin_warnings ?? []), ...warnings] };
}
