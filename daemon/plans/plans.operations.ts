import { implement, type Operation } from '#daemon/kernel/operation.ts';
import * as words from '#shared/contract/knowledge/plans.ts';
import { showBoard } from './board.ts';
import { createPlan } from './create-plan.ts';
import type { PlansDeps } from './deps.ts';
import { findPlans, requirePlan } from './plans.repository.ts';
import { newProvenance, patchProvenance } from './provenance.ts';
import { deletePlan, updatePlan } from './update-plan.ts';
import { idFrom, planToSummary, planToWords } from './words.ts';

export function plansOperations(deps: PlansDeps): Operation[] {
  return [
    implement(words.createPlan, async (input, context) =>
      createPlan(
        deps,
        {
          projectId: input.project_id,
          draft: {
            title: input.title.trim(),
            goal: input.goal ?? null,
            context: input.context ?? null,
            status: input.status,
            external_ref: input.external_ref?.trim() ?? null,
            provenance: newProvenance(input, context),
          },
        },
        context,
      ),
    ),
    implement(words.getPlan, async (input, context) =>
      planToWords(await requirePlan(deps.database.db, context.userId, idFrom(input, 'plan_id'))),
    ),
    implement(words.listPlans, async (input, context) => {
      const { limit, offset } = input;
      const { plans, total } = await findPlans(deps.database, {
        userId: context.userId,
        projectId: input.project_id,
        status: input.status,
        externalRef: input.external_ref?.trim(),
        limit,
        offset,
      });
      const has_more = offset + plans.length < total;
      return { plans: plans.map(planToSummary), total_count: total, total, limit, offset, has_more };
    }),
    implement(words.updatePlan, async (input, context) =>
      updatePlan(
        deps,
        idFrom(input, 'plan_id'),
        (present) => ({
          title: input.title?.trim() ?? present.title,
          goal: input.goal === undefined ? present.goal : input.goal,
          context: input.context === undefined ? present.context : input.context,
          status: input.status ?? present.status,
          external_ref: input.external_ref?.trim() ?? present.external_ref,
          provenance: patchProvenance(present.provenance, input),
        }),
        context,
      ),
    ),
    implement(words.deletePlan, async (input, context) => deletePlan(deps, idFrom(input, 'plan_id'), context)),
    implement(words.showPlan, async (input, context) => showBoard(deps, idFrom(input, 'plan_id'), context)),
  ];
}
