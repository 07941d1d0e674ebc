// Plans in the words of the knowledge catalogue: a goal inside a project, with the tasks that lead to it (tasks.ts).
import { z } from 'zod';
import { codePoints, id, isBlank, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { pluginWarnings } from './plugin-warnings.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';
import { taskSummary } from './tasks.ts';

export const planStatuses = ['draft', 'active', 'completed', 'archived'] as const;
export type PlanStatus = (typeof planStatuses)[number];

const key = text(200).optional();
const planId = id.optional().describe('the plan; `id` is the same');
const status = z.enum(planStatuses);

/** An opaque name from elsewhere, compared trimmed and in its own case; unique among a user's plans of every status. */
const externalRef = z
  .string()
  .refine((value) => !isBlank(value), { error: 'must not be blank' })
  .refine((value) => codePoints(value.trim()) <= 255, { error: 'must have at most 255 characters' })
  .meta({ minLength: 1 });

const summaryFields = {
  id,
  plan_id: id,
  title: z.string(),
  project_id: id,
  status,
  external_ref: z.string().nullable(),
  task_count: z.int(),
  created_at: utc,
  updated_at: utc,
};

export const planSummary = z.object(summaryFields);

export const plan = z.object({
  ...summaryFields,
  goal: z.string().nullable(),
  context: z.string().nullable(),
  ...provenanceOutput,
});

export type PlanWords = z.output<typeof plan>;

export const createPlan = defineContract({
  name: 'create_plan',
  title: 'Create a plan',
  description:
    'Create a plan inside a project, to hold the tasks of one goal. Pass external_ref (an issue, a ticket) so that nobody plans the same work twice; a conflict means that list_plans finds the plan under it.',
  category: 'plan',
  input: z.strictObject({
    title: requiredText(500),
    project_id: id,
    goal: text(2_000).nullable().optional(),
    context: text(2_000).nullable().optional(),
    status: status.default('draft'),
    external_ref: externalRef.nullable().optional().describe('your own name for it, unique among your plans'),
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: plan.extend(pluginWarnings),
  examples: [
    { title: 'Move the sessions', project_id: 1, goal: 'No login is lost on a deploy', external_ref: 'SHOP-12' },
  ],
  hints: additiveHints,
  scope: 'write:plans',
  http: [{ method: 'POST', path: '/api/v1/plans', created: () => true }],
  cli: { command: 'plan create', positional: ['title'], flags: { ref: 'external_ref' } },
});

export const getPlan = defineContract({
  name: 'get_plan',
  title: 'Get a plan',
  description: 'Read one plan whole: goal, context, status and how many tasks it has.',
  category: 'plan',
  input: z.strictObject({ plan_id: planId, id: id.optional() }),
  output: plan,
  examples: [{ plan_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:plans',
  http: [{ method: 'GET', path: '/api/v1/plans/:plan_id' }],
});

export const listPlans = defineContract({
  name: 'list_plans',
  title: 'List plans',
  description: 'List plans, newest first, by project, status or exact external_ref.',
  category: 'plan',
  input: z.strictObject({
    project_id: id.optional(),
    status: status.optional(),
    external_ref: externalRef.optional(),
    limit: z.int().min(1).max(100).default(100),
    offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({
    plans: z.array(planSummary),
    total_count: z.int(),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
  }),
  examples: [{ project_id: 1, status: 'active' }],
  hints: readOnlyHints,
  scope: 'read:plans',
  http: [{ method: 'GET', path: '/api/v1/plans' }],
  cli: { command: 'plan list', flags: { n: 'limit', ref: 'external_ref' } },
});

export const updatePlan = defineContract({
  name: 'update_plan',
  title: 'Update a plan',
  description:
    'Change fields of a plan; only what you pass changes. Status goes draft to active, active to completed, back to active, and to archived and back.',
  category: 'plan',
  input: z.strictObject({
    plan_id: planId,
    id: id.optional(),
    title: requiredText(500).optional(),
    goal: text(2_000).nullable().optional(),
    context: text(2_000).nullable().optional(),
    status: status.optional(),
    external_ref: externalRef.nullable().optional().describe('a new one releases the old; null leaves it alone'),
    ...provenanceInput,
    idempotency_key: key,
  }),
  output: plan.extend(pluginWarnings),
  examples: [{ plan_id: 1, goal: 'No login is lost' }],
  hints: updateHints,
  scope: 'write:plans',
  http: [
    { method: 'PATCH', path: '/api/v1/plans/:plan_id' },
    { method: 'PUT', path: '/api/v1/plans/:plan_id' },
  ],
  cli: { command: 'plan update', positional: ['plan_id'], flags: { ref: 'external_ref' } },
});

export const deletePlan = defineContract({
  name: 'delete_plan',
  title: 'Delete a plan',
  description: 'Erase a plan with its tasks, criteria and dependencies for good. To keep it, set it to archived.',
  category: 'plan',
  input: z.strictObject({ plan_id: planId, id: id.optional(), idempotency_key: key }),
  output: z.object({ success: z.boolean(), deleted_id: id }),
  examples: [{ plan_id: 1 }],
  hints: eraseHints,
  scope: 'write:plans',
  http: [{ method: 'DELETE', path: '/api/v1/plans/:plan_id' }],
  cli: { command: 'plan delete', positional: ['plan_id'], confirm: 'Erase the plan with all its tasks' },
});

export const showPlan = defineContract({
  name: 'show_plan',
  title: 'Show a plan board',
  description:
    'Read a plan as a board: its tasks by state, the most urgent first, at most 50 of each state, and how far it is.',
  category: 'plan',
  input: z.strictObject({ plan_id: planId, id: id.optional() }),
  output: z.object({
    plan,
    columns: z.array(z.object({ state: z.string(), total: z.int(), tasks: z.array(taskSummary) })),
    progress: z.object({
      done: z.int(),
      cancelled: z.int(),
      open: z.int(),
      blocked: z.int(),
      percent: z.int().describe('done of all that is not cancelled'),
    }),
  }),
  examples: [{ plan_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:plans',
  http: [{ method: 'GET', path: '/api/v1/plans/:plan_id/board' }],
  cli: { command: 'plan show', positional: ['plan_id'] },
});

export const planContracts = [createPlan, getPlan, listPlans, updatePlan, deletePlan, showPlan] as const;
