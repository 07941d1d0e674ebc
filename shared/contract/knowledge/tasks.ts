// Tasks of a plan: criteria, dependencies, and claims that of many agents one alone wins.
// One file of more than 300 lines: fifteen small operations over one record, read side by side.
import { z } from 'zod';
import { id, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { pluginWarnings } from './plugin-warnings.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

export const taskStates = ['todo', 'doing', 'waiting', 'done', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];

/** P0 is the most urgent. */
export const taskPriorities = ['P0', 'P1', 'P2', 'P3'] as const;

const key = text(200).optional();
const taskId = id.optional().describe('the task; `id` is the same');
const criterionId = id.optional().describe('the criterion; `id` is the same');
const state = z.enum(taskStates);
const priority = z.enum(taskPriorities);
const agent = requiredText(200);
const version = z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('the version that you read');
const lease = z
  .int()
  .min(1)
  .max(30 * 24 * 3_600)
  .describe('after so many seconds without renew_task the task is free again');

export const criterion = z.object({
  id,
  criterion_id: id,
  task_id: id,
  description: z.string(),
  met: z.boolean(),
  met_at: utc.nullable(),
  created_at: utc,
  updated_at: utc,
});

const commonFields = {
  id,
  task_id: id,
  title: z.string(),
  plan_id: id,
  state,
  priority,
  assigned_agent: z.string().nullable(),
  version: z.int(),
  lease_expires_at: utc.nullable(),
  blocked: z.boolean().describe('waits for a dependency'),
  created_at: utc,
  updated_at: utc,
};

export const taskSummary = z.object({ ...commonFields, criteria_met: z.int(), criteria_total: z.int() });

export const task = z.object({
  ...commonFields,
  description: z.string().nullable(),
  criteria: z.array(criterion),
  dependency_ids: z.array(id),
  ...provenanceOutput,
});

export type TaskWords = z.output<typeof task>;
export type TaskSummaryWords = z.output<typeof taskSummary>;

const criterionInput = z.union([requiredText(1_000), z.strictObject({ description: requiredText(1_000) })]);

export const createTask = defineContract({
  name: 'create_task',
  title: 'Create a task',
  description:
    'Add a task to a plan, with its acceptance criteria and the tasks it depends on. All or nothing: a bad dependency leaves no task. Keep a task small enough for one agent in one sitting.',
  category: 'task',
  input: z.strictObject({
    title: requiredText(500),
    plan_id: id,
    description: text(5_000).nullable().optional(),
    priority: priority.default('P2').describe('P0 critical, P1 high, P2 medium, P3 low'),
    assigned_agent: agent.nullable().optional().describe('keep it for this agent'),
    criteria: z.array(criterionInput).max(100).optional().describe('what must hold before it is done'),
    dependency_ids: z.array(id).max(1_000).optional().describe('tasks that must be done first'),
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: task,
  examples: [
    {
      title: 'Write the store',
      plan_id: 1,
      priority: 'P1',
      criteria: ['a session survives a restart'],
      dependency_ids: [1],
    },
  ],
  hints: additiveHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks', created: () => true }],
  cli: {
    command: 'task create',
    positional: ['plan_id', 'title'],
    flags: { criterion: 'criteria', after: 'dependency_ids', agent: 'assigned_agent' },
  },
});

export const getTask = defineContract({
  name: 'get_task',
  title: 'Get a task',
  description: 'Read one task with its criteria, dependencies and the version that a claim or transition needs.',
  category: 'task',
  input: z.strictObject({ task_id: taskId, id: id.optional() }),
  output: task,
  examples: [{ task_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:tasks',
  http: [{ method: 'GET', path: '/api/v1/tasks/:task_id' }],
  cli: { command: 'task get', positional: ['task_id'] },
});

export const queryTasks = defineContract({
  name: 'query_tasks',
  title: 'Query tasks',
  description: 'List the tasks of a plan, the most urgent first, by state, priority or agent.',
  category: 'task',
  input: z.strictObject({
    plan_id: id,
    state: state.optional(),
    priority: priority.optional(),
    assigned_agent: agent.optional(),
    limit: z.int().min(1).max(100).default(100),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({
    tasks: z.array(taskSummary),
    total_count: z.int(),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
  }),
  examples: [{ plan_id: 1, state: 'todo' }],
  hints: readOnlyHints,
  scope: 'read:tasks',
  http: [{ method: 'GET', path: '/api/v1/tasks' }],
  cli: { command: 'task list', positional: ['plan_id'], flags: { n: 'limit', agent: 'assigned_agent' } },
});

export const updateTask = defineContract({
  name: 'update_task',
  title: 'Update a task',
  description:
    'Change title, description, priority or assigned agent of a task; only what you pass changes. For its state use transition_task. With version the change is made only if nobody changed the task meanwhile.',
  category: 'task',
  input: z.strictObject({
    task_id: taskId,
    id: id.optional(),
    title: requiredText(500).optional(),
    description: text(5_000).nullable().optional(),
    priority: priority.optional(),
    assigned_agent: agent.nullable().optional(),
    version: version.optional(),
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: task,
  examples: [{ task_id: 1, priority: 'P0' }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [
    { method: 'PATCH', path: '/api/v1/tasks/:task_id' },
    { method: 'PUT', path: '/api/v1/tasks/:task_id' },
  ],
  cli: { command: 'task update', positional: ['task_id'], flags: { agent: 'assigned_agent', at: 'version' } },
});

export const deleteTask = defineContract({
  name: 'delete_task',
  title: 'Delete a task',
  description: 'Erase a task with its criteria; tasks that depended on it no longer do. To keep it, cancel it.',
  category: 'task',
  input: z.strictObject({ task_id: taskId, id: id.optional(), idempotency_key: key }),
  output: z.object({ success: z.boolean(), deleted_id: id, ...pluginWarnings }),
  examples: [{ task_id: 1 }],
  hints: eraseHints,
  scope: 'write:tasks',
  http: [{ method: 'DELETE', path: '/api/v1/tasks/:task_id' }],
  cli: { command: 'task delete', positional: ['task_id'], confirm: 'Erase the task' },
});

export const claimTask = defineContract({
  name: 'claim_task',
  title: 'Claim a task',
  description:
    'Take a task that is todo or waiting: of many agents one alone wins, the others get a conflict with the present version. Work only on what you claimed. With lease_seconds it is free again unless you call renew_task in time.',
  category: 'task',
  input: z.strictObject({
    task_id: taskId,
    id: id.optional(),
    agent_id: agent,
    version,
    lease_seconds: lease.optional(),
    idempotency_key: key,
  }),
  output: task,
  examples: [{ task_id: 1, agent_id: 'reviewer', version: 1, lease_seconds: 600 }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks/:task_id/claim' }],
  cli: {
    command: 'task claim',
    positional: ['task_id'],
    flags: { agent: 'agent_id', at: 'version', lease: 'lease_seconds' },
  },
});

export const renewTask = defineContract({
  name: 'renew_task',
  title: 'Renew a claim',
  description: 'Prolong the lease of a task that you hold; a conflict means that it is no longer yours: stop.',
  category: 'task',
  input: z.strictObject({
    task_id: taskId,
    id: id.optional(),
    agent_id: agent,
    lease_seconds: lease,
    idempotency_key: key,
  }),
  output: task,
  examples: [{ task_id: 3, agent_id: 'builder', lease_seconds: 600 }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks/:task_id/renew' }],
  cli: { command: 'task renew', positional: ['task_id'], flags: { agent: 'agent_id', lease: 'lease_seconds' } },
});

export const nextTask = defineContract({
  name: 'next_task',
  title: 'Claim the next task',
  description:
    'Claim the most urgent task of a plan that is ready and free, in one call. task is null when there is none; blocked says how many wait for others.',
  category: 'task',
  input: z.strictObject({ plan_id: id, agent_id: agent, lease_seconds: lease.optional(), idempotency_key: key }),
  output: z.object({
    task: task.nullable(),
    blocked: z.int().optional().describe('tasks that wait for others; told when none is ready'),
  }),
  examples: [{ plan_id: 1, agent_id: 'builder', lease_seconds: 600 }],
  hints: additiveHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/plans/:plan_id/next' }],
  cli: { command: 'task next', positional: ['plan_id'], flags: { agent: 'agent_id', lease: 'lease_seconds' } },
});

export const transitionTask = defineContract({
  name: 'transition_task',
  title: 'Move a task',
  description:
    'Move a task to another state: todo to doing, waiting, cancelled; doing to done, waiting, todo, cancelled; waiting to todo, doing, cancelled; done or cancelled to todo. doing needs its dependencies done or cancelled, done needs every criterion met.',
  category: 'task',
  input: z.strictObject({ task_id: taskId, id: id.optional(), state, version, idempotency_key: key }),
  output: task.extend(pluginWarnings),
  examples: [{ task_id: 1, state: 'doing', version: 1 }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks/:task_id/transition' }],
  cli: { command: 'task move', positional: ['task_id', 'state'], flags: { at: 'version' } },
});

export const addCriterion = defineContract({
  name: 'add_criterion',
  title: 'Add a criterion',
  description: 'Add an acceptance criterion to a task that is not done.',
  category: 'task',
  input: z.strictObject({
    task_id: taskId,
    id: id.optional(),
    description: requiredText(1_000),
    idempotency_key: key,
  }),
  output: criterion,
  examples: [{ task_id: 1, description: 'the test is green' }],
  hints: additiveHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks/:task_id/criteria', created: () => true }],
  cli: { command: 'task criterion', positional: ['task_id', 'description'] },
});

export const verifyCriterion = defineContract({
  name: 'verify_criterion',
  title: 'Verify a criterion',
  description: 'Say whether an acceptance criterion is met; met false takes it back.',
  category: 'task',
  input: z.strictObject({
    criterion_id: criterionId,
    id: id.optional(),
    met: z.boolean(),
    idempotency_key: key,
  }),
  output: criterion,
  examples: [{ criterion_id: 1, met: true }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/criteria/:criterion_id/verify' }],
  cli: { command: 'task verify', positional: ['criterion_id', 'met'] },
});

export const updateCriterion = defineContract({
  name: 'update_criterion',
  title: 'Update a criterion',
  description: 'Change the words of an acceptance criterion, or whether it is met.',
  category: 'task',
  input: z.strictObject({
    criterion_id: criterionId,
    id: id.optional(),
    description: requiredText(1_000).optional(),
    met: z.boolean().optional(),
    idempotency_key: key,
  }),
  output: criterion,
  examples: [{ criterion_id: 1, description: 'a session survives two restarts' }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [
    { method: 'PATCH', path: '/api/v1/criteria/:criterion_id' },
    { method: 'PUT', path: '/api/v1/criteria/:criterion_id' },
  ],
});

export const deleteCriterion = defineContract({
  name: 'delete_criterion',
  title: 'Delete a criterion',
  description: 'Remove an acceptance criterion from its task.',
  category: 'task',
  input: z.strictObject({ criterion_id: criterionId, id: id.optional(), idempotency_key: key }),
  output: z.object({ success: z.boolean() }),
  examples: [{ criterion_id: 1 }],
  hints: eraseHints,
  scope: 'write:tasks',
  http: [{ method: 'DELETE', path: '/api/v1/criteria/:criterion_id' }],
});

export const addDependency = defineContract({
  name: 'add_dependency',
  title: 'Add a dependency',
  description:
    'Let a task wait for another one of the same plan. A dependency that would close a cycle is refused, with its path.',
  category: 'task',
  input: z.strictObject({ task_id: taskId, id: id.optional(), depends_on_task_id: id, idempotency_key: key }),
  output: z.object({ id, task_id: id, depends_on_task_id: id, created_at: utc }),
  examples: [{ task_id: 2, depends_on_task_id: 1 }],
  hints: additiveHints,
  scope: 'write:tasks',
  http: [{ method: 'POST', path: '/api/v1/tasks/:task_id/dependencies', created: () => true }],
  cli: { command: 'task depend', positional: ['task_id', 'depends_on_task_id'] },
});

export const removeDependency = defineContract({
  name: 'remove_dependency',
  title: 'Remove a dependency',
  description: 'Let a task no longer wait for another one.',
  category: 'task',
  input: z.strictObject({ task_id: taskId, id: id.optional(), depends_on_task_id: id, idempotency_key: key }),
  output: z.object({ success: z.boolean() }),
  examples: [{ task_id: 4, depends_on_task_id: 1 }],
  hints: updateHints,
  scope: 'write:tasks',
  http: [{ method: 'DELETE', path: '/api/v1/tasks/:task_id/dependencies/:depends_on_task_id' }],
  cli: { command: 'task undepend', positional: ['task_id', 'depends_on_task_id'] },
});

export const taskContracts = [
  createTask,
  getTask,
  queryTasks,
  updateTask,
  deleteTask,
  claimTask,
  renewTask,
  nextTask,
  transitionTask,
  addCriterion,
  verifyCriterion,
  updateCriterion,
  deleteCriterion,
  addDependency,
  removeDependency,
] as const;
