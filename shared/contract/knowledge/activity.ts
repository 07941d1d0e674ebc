// What happened, to what, by whom: the log of changes as a list, as the history of one thing, and (by hand, in the HTTP adapter) as a stream.
import { z } from 'zod';
import { id, instant, requiredText, text, utc } from '../common.ts';
import { defineContract, readOnlyHints } from '../operation.ts';

/** The kinds of things that the log knows. */
export const activityTypes = [
  'memory',
  'project',
  'document',
  'code_artifact',
  'entity',
  'link',
  'entity_memory_link',
  'entity_relationship',
  'entity_project_link',
  'entity_file_link',
  'plan',
  'task',
  'criterion',
  'task_dependency',
  'file',
  'skill',
  'user',
] as const;

/** The five words of the catalogue; `detail` has the more exact one (claimed, merged, obsoleted). */
export const activityActions = ['created', 'updated', 'deleted', 'read', 'queried'] as const;
export type ActivityAction = (typeof activityActions)[number];

export const activityEvent = z.object({
  id,
  seq: id,
  user_id: id,
  entity_type: z.string(),
  entity_id: z.int(),
  action: z.enum(activityActions),
  detail: z.string(),
  changes: z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() })).nullable(),
  snapshot: z.record(z.string(), z.unknown()).nullable(),
  actor: z.string(),
  actor_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: utc,
});

export type ActivityEvent = z.output<typeof activityEvent>;

const page = {
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
};

const listed = z.object({
  events: z.array(activityEvent),
  total: z.int(),
  total_count: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
});

const entityType = z.enum(activityTypes);

export const listActivity = defineContract({
  name: 'list_activity',
  title: 'List activity',
  description:
    'List what was changed, newest first, with old and new values: by kind of thing, action, id, actor or time. Use it to see what other agents did meanwhile.',
  category: 'activity',
  input: z.strictObject({
    entity_type: entityType.optional(),
    action: z.enum(activityActions).optional(),
    entity_id: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    actor: z.enum(['user', 'system', 'llm-maintenance']).optional(),
    actor_id: requiredText(200).optional().describe('the client or agent that did it'),
    since: instant.optional(),
    until: instant.optional(),
    ...page,
  }),
  output: listed,
  examples: [{ entity_type: 'memory', action: 'updated', limit: 20 }],
  hints: readOnlyHints,
  scope: 'read:activity',
  http: [{ method: 'GET', path: '/api/v1/activity' }],
  cli: { command: 'activity list', flags: { n: 'limit', type: 'entity_type' } },
});

export const getActivityHistory = defineContract({
  name: 'get_activity_history',
  title: 'Get a history',
  description: 'List everything that happened to one thing of any kind, newest first.',
  category: 'activity',
  input: z.strictObject({ entity_type: entityType, entity_id: z.int().min(0).max(Number.MAX_SAFE_INTEGER), ...page }),
  output: listed,
  examples: [{ entity_type: 'memory', entity_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:activity',
  http: [{ method: 'GET', path: '/api/v1/activity/:entity_type/:entity_id' }],
  cli: { command: 'activity of', positional: ['entity_type', 'entity_id'], flags: { n: 'limit' } },
});

/** What the query of the event stream may hold; it is no operation, because its answer never ends. */
export const activityStreamQuery = z.strictObject({
  entity_type: entityType.optional(),
  action: z.enum(activityActions).optional(),
  last_event_id: text(20).optional(),
});

export const activityContracts = [listActivity, getActivityHistory] as const;
