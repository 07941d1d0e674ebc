import type { CallContext } from '#daemon/kernel/context.ts';
import { withRemarks } from '#daemon/policies/index.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import { LociError } from '#shared/errors.ts';
import { commitPlanChange } from './commit.ts';
import type { PlansDeps } from './deps.ts';
import { planToSnapshot } from './plan-snapshot.ts';
import { insertPlan, type PlanDraft } from './plans.repository.ts';
import { planToWords } from './words.ts';

/** Creates a plan. Throws `not_found` for the project, `conflict` for a reference that another plan holds. */
export async function createPlan(
  deps: PlansDeps,
  { draft, projectId }: { readonly draft: PlanDraft; readonly projectId: number },
  context: CallContext,
) {
  const { userId } = context;
  await requireProject(deps, deps.database.db, userId, projectId);
  const warnings = await deps.policy.before({
    operation: 'create',
    previous: null,
    proposed: { ...draft, project_id: projectId },
  });
  const answer = await commitPlanChange(deps, context, async (trx, changes) => {
    await requireProject(deps, trx, userId, projectId);
    const plan = await insertPlan(trx, { userId, projectId, draft, nowMs: deps.clock.now() });
    changes.push({ kind: 'plan', thingId: plan.id, action: 'created', snapshot: planToSnapshot(plan) });
    return withRemarks(planToWords({ ...plan, task_count: 0 }), warnings);
  });
  return withRemarks(answer, await deps.policy.after({ operation: 'create', previous: null, proposed: answer }));
}

async function requireProject(deps: PlansDeps, db: Queries, userId: number, projectId: number): Promise<void> {
  if ((await deps.projects.byIds(db, userId, [projectId])).has(projectId)) return;
  throw new LociError('not_found', `Project ${projectId} not found.`, { project_id: projectId });
}
