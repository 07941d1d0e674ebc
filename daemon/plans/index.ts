// The door of the plans room: plans, their tasks, and which of many agents works on which.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { PlansDeps } from './deps.ts';
import { plansOperations } from './plans.operations.ts';
import { tasksOperations } from './tasks.operations.ts';

export { insertDependency } from './dependencies.repository.ts';
export type { PlansDeps } from './deps.ts';
export { planFollower } from './follow-project.ts';

export function planOperations(deps: PlansDeps): Operation[] {
  return [...plansOperations(deps), ...tasksOperations(deps)];
}
