// Rows of this room in the words of the catalogue.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import type { PlanStatus, PlanWords } from '#shared/contract/knowledge/plans.ts';
import type { TaskState, TaskSummaryWords, TaskWords, taskPriorities } from '#shared/contract/knowledge/tasks.ts';
import { invalidField } from '#shared/errors.ts';
import { criteriaOf } from './criteria.repository.ts';
import { dependencyIds } from './dependencies.repository.ts';
import type { CountedPlan } from './plans.repository.ts';
import { readProvenance } from './provenance.ts';
import { settledStates } from './rules.ts';
import type { CountedTask, CriterionRow, TaskRow } from './tasks.repository.ts';

/** The id under one of its two names. Throws `invalid_input` where neither, or two that differ, are given. */
export function idFrom<Name extends string>(
  input: { readonly id?: number | undefined } & { readonly [N in Name]?: number | undefined },
  name: Name,
): number {
  const given: number | undefined = input[name];
  if (given !== undefined && input.id !== undefined && given !== input.id) {
    throw invalidField(name, `\`${name}\` and \`id\` differ: give one of them.`);
  }
  const id = given ?? input.id;
  if (id === undefined) throw invalidField(name, `\`${name}\` is required.`);
  return id;
}

export function planToWords(plan: CountedPlan): PlanWords {
  return {
    ...planToSummary(plan),
    goal: plan.goal,
    context: plan.context,
    ...readProvenance(plan.provenance),
  };
}

export function planToSummary(plan: CountedPlan) {
  return {
    id: plan.id,
    plan_id: plan.id,
    title: plan.title,
    project_id: plan.project_id,
    status: plan.status as PlanStatus,
    external_ref: plan.external_ref,
    task_count: plan.task_count,
    created_at: toUtc(plan.created_at),
    updated_at: toUtc(plan.updated_at),
  };
}

/** A task whole, its criteria and dependencies read. */
export async function taskToWords(queries: Queries, task: TaskRow): Promise<TaskWords> {
  const criteria = await criteriaOf(queries, task.id);
  return {
    ...commonWords(task),
    description: task.description,
    criteria: criteria.map(criterionToWords),
    dependency_ids: await dependencyIds(queries, task.id),
    ...readProvenance(task.provenance),
  };
}

export function taskToSummary(task: CountedTask): TaskSummaryWords {
  return { ...commonWords(task), criteria_met: task.criteria_met, criteria_total: task.criteria_total };
}

function commonWords(task: TaskRow) {
  const state = task.state as TaskState;
  return {
    id: task.id,
    task_id: task.id,
    title: task.title,
    plan_id: task.plan_id,
    state,
    priority: task.priority as (typeof taskPriorities)[number],
    assigned_agent: task.assigned_agent,
    version: task.version,
    lease_expires_at: toUtc(task.lease_expires_at),
    blocked: task.unmet > 0 && !settledStates.includes(state),
    created_at: toUtc(task.created_at),
    updated_at: toUtc(task.updated_at),
  };
}

export function criterionToWords(row: CriterionRow) {
  return {
    id: row.id,
    criterion_id: row.id,
    task_id: row.task_id,
    description: row.description,
    met: row.met === 1,
    met_at: toUtc(row.met_at),
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}
