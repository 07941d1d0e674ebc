// Claims, renewals and moves. The statement that moves a task decides who wins (`moveTask`); only when it moved nothing is the task
// read, to say why: first the version, then the way there, then what that way needs.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Change } from '#daemon/storage/change-log.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { TaskState } from '#shared/contract/knowledge/tasks.ts';
import { LociError } from '#shared/errors.ts';
import { commitPlanChange } from './commit.ts';
import { commitWithCompletion } from './complete-plan.ts';
import { criteriaOf } from './criteria.repository.ts';
import { dependencyIds } from './dependencies.repository.ts';
import type { PlansDeps } from './deps.ts';
import { giveBackExpired, leaseEnd } from './leases.ts';
import { requirePlanId } from './plans.repository.ts';
import { brokenTaskMove, ruleBroken, settledStates, taskMoves } from './rules.ts';
import {
  claimReadyTask,
  countBlocked,
  type Move,
  moveTask,
  renewLease,
  requireTask,
  type TaskRow,
  tasksByIds,
} from './tasks.repository.ts';
import { taskToWords } from './words.ts';

export type ClaimRequest = {
  readonly taskId: number;
  readonly agent: string;
  readonly version: number;
  readonly leaseSeconds: number | undefined;
};

/** Takes a task. Throws `not_found`, `conflict` for another version, `rejected_by_policy` for its state or dependencies. */
export async function claimTask(deps: PlansDeps, request: ClaimRequest, context: CallContext) {
  const { taskId, agent, version } = request;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    const claim = { agent, leaseExpiresAtMs: leaseEnd(nowMs, request.leaseSeconds) };
    const move: Move = { userId: context.userId, taskId, to: 'doing', version, claim, nowMs };
    await giveBackExpired(trx, context.userId, nowMs, changes);
    const before = await requireTask(trx, context.userId, taskId);
    const task = await moveTask(trx, move);
    if (task === null) throw await whyNotMoved(trx, move);
    changes.push(claimChange(before, task));
    return taskToWords(trx, task);
  });
}

/** Moves a task, and completes its plan with the last one. Throws as a claim does. */
export async function transitionTask(
  deps: PlansDeps,
  request: { readonly taskId: number; readonly state: TaskState; readonly version: number },
  context: CallContext,
) {
  const { taskId, state: to, version } = request;
  const { userId } = context;
  return commitWithCompletion(deps, context, async (trx, changes, complete) => {
    const nowMs = deps.clock.now();
    const move: Move = { userId, taskId, to, version, nowMs };
    await giveBackExpired(trx, userId, nowMs, changes);
    const before = await requireTask(trx, userId, taskId);
    const task = await moveTask(trx, move);
    if (task === null) throw await whyNotMoved(trx, move);
    changes.push({
      kind: 'task',
      thingId: taskId,
      action: 'transitioned',
      changes: { state: { old: before.state, new: to } },
      metadata: { plan_id: task.plan_id, version: task.version },
    });
    if (settledStates.includes(to)) await complete(trx, task.plan_id, changes);
    return taskToWords(trx, task);
  });
}

/** Claims the most urgent ready task of a plan; `task` is null when there is none. Throws `not_found` for the plan. */
export async function nextTask(
  deps: PlansDeps,
  request: { readonly planId: number; readonly agent: string; readonly leaseSeconds: number | undefined },
  context: CallContext,
) {
  const { planId, agent } = request;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    await requirePlanId(trx, context.userId, planId);
    await giveBackExpired(trx, context.userId, nowMs, changes);
    const leaseExpiresAtMs = leaseEnd(nowMs, request.leaseSeconds);
    const task = await claimReadyTask(trx, { planId, agent, leaseExpiresAtMs, nowMs });
    if (task !== null) changes.push(claimChange({ state: 'todo', assigned_agent: null }, task));
    const blocked = await countBlocked(trx, planId);
    return { task: task === null ? null : await taskToWords(trx, task), blocked };
  });
}

/** Prolongs a claim. Throws `conflict` when the task is not, or no longer, the agent's. */
export async function renewTask(
  deps: PlansDeps,
  request: { readonly taskId: number; readonly agent: string; readonly leaseSeconds: number },
  context: CallContext,
) {
  const { taskId, agent } = request;
  const { userId } = context;
  return commitPlanChange(deps, context, async (trx, changes) => {
    const nowMs = deps.clock.now();
    await giveBackExpired(trx, userId, nowMs, changes);
    const leaseExpiresAtMs = nowMs + request.leaseSeconds * 1_000;
    const task = await renewLease(trx, { userId, taskId, agent, leaseExpiresAtMs, nowMs });
    if (task === null) {
      const { state, assigned_agent, version } = await requireTask(trx, userId, taskId);
      throw new LociError(
        'conflict',
        `Task ${taskId} is not held by ${agent}: stop working on it, and claim it again if it is free.`,
        { task_id: taskId, state, assigned_agent, version },
      );
    }
    const metadata = { plan_id: task.plan_id, version: task.version, lease_expires_at: toUtc(leaseExpiresAtMs) };
    changes.push({ kind: 'task', thingId: taskId, action: 'lease_renewed', metadata });
    return taskToWords(trx, task);
  });
}

/** The `conflict` for a version that is not the present one; its details hold what the caller needs to decide anew. */
export function versionConflict(present: TaskRow, given: number): LociError {
  const { id, version, state, assigned_agent } = present;
  return new LociError(
    'conflict',
    `Version mismatch: task ${id} has version ${version}, not ${given}. Somebody changed it: read it again and decide anew.`,
    { task_id: id, version, given, state, assigned_agent },
  );
}

function claimChange(before: Pick<TaskRow, 'state' | 'assigned_agent'>, task: TaskRow): Change {
  const { id, plan_id, version, assigned_agent } = task;
  const lease = task.lease_expires_at === null ? {} : { lease_expires_at: toUtc(task.lease_expires_at) };
  return {
    kind: 'task',
    thingId: id,
    action: 'claimed',
    changes: {
      state: { old: before.state, new: task.state },
      ...(before.assigned_agent === assigned_agent
        ? {}
        : { assigned_agent: { old: before.assigned_agent, new: assigned_agent } }),
    },
    metadata: { plan_id, version, ...lease },
  };
}

async function whyNotMoved(trx: Trx, move: Move): Promise<LociError> {
  const task = await requireTask(trx, move.userId, move.taskId);
  if (task.version !== move.version) return versionConflict(task, move.version);
  const from = task.state as TaskState;
  const needs = taskMoves[from][move.to];
  if (needs === 'dependencies') return unmetDependencies(trx, task);
  if (needs === 'criteria') return unmetCriteria(trx, task);
  if (move.claim === undefined) return brokenTaskMove(from, move.to);
  return ruleBroken('transition', `Cannot claim task in ${from} state. Must be todo or waiting.`, { from });
}

async function unmetDependencies(trx: Trx, task: TaskRow): Promise<LociError> {
  const rows = await tasksByIds(trx, task.user_id, await dependencyIds(trx, task.id));
  const open = [...rows.values()].filter((row) => !settledStates.includes(row.state as TaskState));
  const named = open.slice(0, 5).map((row) => `Dependency task ${row.id} is not done (state: ${row.state})`);
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  const blocking = open.map((row) => row.id);
  return ruleBroken('dependencies', `${named.join('; ')}${more}.`, { task_id: task.id, blocking });
}

async function unmetCriteria(trx: Trx, task: TaskRow): Promise<LociError> {
  const unmet = (await criteriaOf(trx, task.id)).filter((row) => row.met === 0);
  const words = unmet.slice(0, 5).map((row) => `'${row.description}'`);
  const more = unmet.length > words.length ? ` and ${unmet.length - words.length} more` : '';
  return ruleBroken(
    'criteria',
    `Cannot mark task as done: ${unmet.length} acceptance criteria not met. Unmet: ${words.join(', ')}${more}.`,
    { task_id: task.id, unmet: unmet.map((row) => row.id) },
  );
}
