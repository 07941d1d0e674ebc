import type { CallContext } from '#daemon/kernel/context.ts';
import { taskStates } from '#shared/contract/knowledge/tasks.ts';
import type { PlansDeps } from './deps.ts';
import { settleLeases } from './leases.ts';
import { requirePlan } from './plans.repository.ts';
import { countTasks, findTasks } from './tasks.repository.ts';
import { planToWords, taskToSummary } from './words.ts';

/** Tasks shown of each state. */
const columnLength = 50;

/** A plan as columns of tasks with its progress. Throws `not_found`. */
export async function showBoard(deps: PlansDeps, planId: number, context: CallContext) {
  const { db } = deps.database;
  await settleLeases(deps, context);
  const plan = await requirePlan(db, context.userId, planId);
  const counts = await countTasks(db, planId);
  const columns = [];
  for (const state of taskStates) {
    const total = counts.get(state)?.total ?? 0;
    const { tasks } =
      total === 0 ? { tasks: [] } : await findTasks(db, { planId, state, limit: columnLength, offset: 0 });
    columns.push({ state, total, tasks: tasks.map(taskToSummary) });
  }
  const of = (state: string): number => counts.get(state)?.total ?? 0;
  const [done, cancelled] = [of('done'), of('cancelled')];
  const wanted = plan.task_count - cancelled;
  const blocked = ['todo', 'doing', 'waiting'].reduce((sum, state) => sum + (counts.get(state)?.blocked ?? 0), 0);
  const percent = wanted === 0 ? 0 : Math.floor((100 * done) / wanted);
  return {
    plan: planToWords(plan),
    columns,
    progress: { done, cancelled, open: wanted - done, blocked, percent },
  };
}
