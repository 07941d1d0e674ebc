import { implement, type Operation } from '#daemon/kernel/operation.ts';
import * as words from '#shared/contract/knowledge/tasks.ts';
import { createTask } from './create-task.ts';
import { addCriterion, changeCriterion, deleteCriterion } from './criteria.ts';
import { addDependency, removeDependency } from './dependencies.ts';
import type { PlansDeps } from './deps.ts';
import { settleLeases } from './leases.ts';
import { claimTask, nextTask, renewTask, transitionTask } from './move-task.ts';
import { requirePlanId } from './plans.repository.ts';
import { newProvenance, patchProvenance } from './provenance.ts';
import { findTasks, requireTask } from './tasks.repository.ts';
import { deleteTask, updateTask } from './update-task.ts';
import { idFrom, taskToSummary, taskToWords } from './words.ts';

export function tasksOperations(deps: PlansDeps): Operation[] {
  return [...keeping(deps), ...moving(deps), ...needing(deps)];
}

function keeping(deps: PlansDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(words.createTask, async (input, context) =>
      createTask(
        deps,
        {
          planId: input.plan_id,
          draft: {
            title: input.title.trim(),
            description: input.description ?? null,
            priority: input.priority,
            assigned_agent: input.assigned_agent ?? null,
            provenance: newProvenance(input, context),
          },
          criteria: (input.criteria ?? []).map((one) => (typeof one === 'string' ? one : one.description)),
          dependencyIds: input.dependency_ids ?? [],
        },
        context,
      ),
    ),
    implement(words.getTask, async (input, context) => {
      const id = idFrom(input, 'task_id');
      await settleLeases(deps, context);
      return taskToWords(db, await requireTask(db, context.userId, id));
    }),
    implement(words.queryTasks, async (input, context) => {
      const { plan_id: planId, limit, offset } = input;
      await settleLeases(deps, context);
      await requirePlanId(db, context.userId, planId);
      const { state, priority, assigned_agent: agent } = input;
      const { tasks, total } = await findTasks(db, { planId, state, priority, agent, limit, offset });
      const has_more = offset + tasks.length < total;
      return { tasks: tasks.map(taskToSummary), total_count: total, total, limit, offset, has_more };
    }),
    implement(words.updateTask, async (input, context) =>
      updateTask(
        deps,
        idFrom(input, 'task_id'),
        {
          version: input.version,
          apply: (present) => ({
            title: input.title?.trim() ?? present.title,
            description: input.description === undefined ? present.description : input.description,
            priority: input.priority ?? present.priority,
            assigned_agent: input.assigned_agent === undefined ? present.assigned_agent : input.assigned_agent,
            provenance: patchProvenance(present.provenance, input),
          }),
        },
        context,
      ),
    ),
    implement(words.deleteTask, async (input, context) => deleteTask(deps, idFrom(input, 'task_id'), context)),
  ];
}

function moving(deps: PlansDeps): Operation[] {
  return [
    implement(words.claimTask, async (input, context) => {
      const { agent_id: agent, version, lease_seconds: leaseSeconds } = input;
      return claimTask(deps, { taskId: idFrom(input, 'task_id'), agent, version, leaseSeconds }, context);
    }),
    implement(words.renewTask, async (input, context) => {
      const { agent_id: agent, lease_seconds: leaseSeconds } = input;
      return renewTask(deps, { taskId: idFrom(input, 'task_id'), agent, leaseSeconds }, context);
    }),
    implement(words.nextTask, async (input, context) => {
      const { plan_id: planId, agent_id: agent, lease_seconds: leaseSeconds } = input;
      return nextTask(deps, { planId, agent, leaseSeconds }, context);
    }),
    implement(words.transitionTask, async (input, context) => {
      const { state, version } = input;
      return transitionTask(deps, { taskId: idFrom(input, 'task_id'), state, version }, context);
    }),
  ];
}

function needing(deps: PlansDeps): Operation[] {
  return [
    implement(words.addCriterion, async (input, context) =>
      addCriterion(deps, { taskId: idFrom(input, 'task_id'), description: input.description }, context),
    ),
    implement(words.verifyCriterion, async (input, context) =>
      changeCriterion(deps, { id: idFrom(input, 'criterion_id'), met: input.met }, context),
    ),
    implement(words.updateCriterion, async (input, context) => {
      const { description, met } = input;
      return changeCriterion(deps, { id: idFrom(input, 'criterion_id'), description, met }, context);
    }),
    implement(words.deleteCriterion, async (input, context) =>
      deleteCriterion(deps, idFrom(input, 'criterion_id'), context),
    ),
    implement(words.addDependency, async (input, context) =>
      addDependency(deps, { taskId: idFrom(input, 'task_id'), dependsOnId: input.depends_on_task_id }, context),
    ),
    implement(words.removeDependency, async (input, context) =>
      removeDependency(deps, { taskId: idFrom(input, 'task_id'), dependsOnId: input.depends_on_task_id }, context),
    ),
  ];
}
