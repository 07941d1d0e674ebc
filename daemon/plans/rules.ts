// Which moves exist, once: the checks, the SQL of a claim and the table in docs/plans.md are made from these two tables.
// A broken rule answers `rejected_by_policy` (422): the request is well-formed and the version is right, the plan's own rules forbid
// it. `details.rule` tells which one; a version that is not the present one is a `conflict` (409) and is looked at first.
import type { PlanStatus } from '#shared/contract/knowledge/plans.ts';
import { type TaskState, taskStates } from '#shared/contract/knowledge/tasks.ts';
import { LociError } from '#shared/errors.ts';

/** What must hold before a move: every dependency done or cancelled, or every criterion met. */
export type Need = 'dependencies' | 'criteria' | 'nothing';

export const planMoves: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['completed', 'archived'],
  completed: ['active'],
  archived: ['active'],
};

/** Statuses in which a plan takes new tasks. */
export const openPlanStatuses: readonly PlanStatus[] = ['draft', 'active'];

export const taskMoves: Readonly<Record<TaskState, Partial<Record<TaskState, Need>>>> = {
  todo: { doing: 'dependencies', waiting: 'nothing', cancelled: 'nothing' },
  doing: { done: 'criteria', waiting: 'nothing', todo: 'nothing', cancelled: 'nothing' },
  waiting: { todo: 'nothing', doing: 'dependencies', cancelled: 'nothing' },
  done: { todo: 'nothing' },
  cancelled: { todo: 'nothing' },
};

/** Settled tasks block nobody; a plan of settled tasks alone, one of them done, completes itself. */
export const settledStates: readonly TaskState[] = ['done', 'cancelled'];

/** The states from which a state can be reached, with what each needs. A claim is the move to `doing`. */
export function waysTo(state: TaskState): { readonly from: TaskState; readonly needs: Need }[] {
  return taskStates.flatMap((from) => {
    const needs = taskMoves[from][state];
    return needs === undefined ? [] : [{ from, needs }];
  });
}

export type Rule = 'transition' | 'dependencies' | 'criteria' | 'plan_status';

export function ruleBroken(rule: Rule, message: string, details: Readonly<Record<string, unknown>>): LociError {
  return new LociError('rejected_by_policy', message, { rule, ...details });
}

export function refusePlanMove(from: PlanStatus, to: PlanStatus): void {
  const valid = planMoves[from];
  if (from === to || valid.includes(to)) return;
  throw brokenMove('plan', from, to, valid);
}

export function brokenTaskMove(from: TaskState, to: TaskState): LociError {
  return brokenMove('task', from, to, Object.keys(taskMoves[from]));
}

function brokenMove(kind: string, from: string, to: string, valid: readonly string[]): LociError {
  const message = `Cannot transition ${kind} from ${from} to ${to}. Valid transitions: ${valid.join(', ')}.`;
  return ruleBroken('transition', message, { from, to, valid });
}
