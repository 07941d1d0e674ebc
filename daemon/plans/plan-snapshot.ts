// A plan and a task as the log of changes keeps them and a policy sees them.
import type { PlanDraft, PlanRow } from './plans.repository.ts';
import { readProvenance } from './provenance.ts';
import type { TaskDraft, TaskRow } from './tasks.repository.ts';

export function planToSnapshot(plan: PlanRow) {
  const { id, project_id } = plan;
  return { id, project_id, ...planToDraft(plan) };
}

/** What a caller may set, as it is. */
export function planToDraft(plan: PlanRow): PlanDraft {
  const { title, goal, context, external_ref } = plan;
  const status = plan.status as PlanDraft['status'];
  return { title, goal, context, status, external_ref, provenance: readProvenance(plan.provenance) };
}

export function taskToSnapshot(task: TaskRow) {
  const { id, plan_id, state, version } = task;
  return { id, plan_id, state, version, ...taskToDraft(task) };
}

export function taskToDraft(task: TaskRow): TaskDraft {
  const { title, description, priority, assigned_agent } = task;
  return { title, description, priority, assigned_agent, provenance: readProvenance(task.provenance) };
}
