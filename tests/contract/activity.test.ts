// The log of changes, on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type Input, type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { has, newPlan, newTask, project, refused } from '../support/plan-steps.ts';

const list = (input: Input = {}) => ({ operation: 'list_activity', input });
const history = (entity_type: string, entity_id: number) => ({
  operation: 'get_activity_history',
  input: { entity_type, entity_id },
});
const event = (entity_type: string, entity_id: number, action: string, more: object = {}) =>
  expect.objectContaining({ entity_type, entity_id, action, ...more });
const note = (title: string, content: string) => ({
  operation: 'create_memory',
  input: { title, content, importance: 5 },
  gives: has({ title }),
});

const cases: SurfaceCase[] = [
  {
    name: 'K179 the log is empty at first, has what was created, newest first, page by page',
    steps: [
      { ...list(), gives: { output: { events: [], total: 0, total_count: 0, limit: 50, offset: 0, has_more: false } } },
      project,
      newPlan('Move the cart'),
      {
        ...list(),
        gives: has({
          events: [
            event('plan', 1, 'created', { seq: 3, snapshot: expect.objectContaining({ title: 'Move the cart' }) }),
            event('memory', 1, 'created'),
            event('project', 1, 'created', { seq: 1, id: 1, user_id: 1, changes: null, actor: 'user' }),
          ],
          total: 3,
        }),
      },
      { ...list({ limit: 1, offset: 1 }), gives: has({ events: [event('memory', 1, 'created')], has_more: true }) },
      { ...list({ offset: 9 }), gives: has({ events: [], total: 3, has_more: false }) },
    ],
  },
  {
    name: 'K180 the log is filtered by type, action, id, actor and time, and a filter that cannot be is refused by name',
    steps: [
      project,
      newPlan('One'),
      newPlan('Two'),
      { operation: 'update_plan', input: { plan_id: 2, status: 'active' }, gives: has({}) },
      { ...list({ entity_type: 'plan', action: 'created' }), gives: has({ total: 2 }) },
      { ...list({ entity_type: 'plan', entity_id: 2 }), gives: has({ total: 2 }) },
      { ...list({ action: 'updated' }), gives: has({ events: [event('plan', 2, 'updated')] }) },
      { ...list({ actor: 'user' }), gives: has({ total: 5 }) },
      { ...list({ actor: 'system' }), gives: has({ total: 0 }) },
      { ...list({ actor_id: 'nobody' }), gives: has({ total: 0 }) },
      { ...list({ since: '2026-01-05T09:00:00Z', until: '2026-01-05T09:00:00Z' }), gives: has({ total: 5 }) },
      { ...list({ since: '2026-01-05T09:00:00.001Z' }), gives: has({ total: 0 }) },
      { ...list({ entity_type: 'planet' }), gives: refused('invalid_input', 'entity_type') },
      { ...list({ action: 'eaten' }), gives: refused('invalid_input', 'action') },
      { ...list({ entity_id: -1 }), gives: refused('invalid_input', 'entity_id') },
      { ...list({ actor: 'ghost' }), gives: refused('invalid_input', 'actor') },
      { ...list({ since: 'yesterday' }), gives: refused('invalid_input', 'since') },
      { ...list({ limit: 0 }), gives: refused('invalid_input', 'limit') },
    ],
  },
  {
    name: 'K181 an update carries old and new values of what changed, of plans, tasks, criteria and dependencies alike',
    steps: [
      project,
      newPlan('One'),
      newTask(1, 'a', { criteria: ['it works'] }),
      newTask(1, 'b'),
      { operation: 'update_plan', input: { plan_id: 1, title: 'First', goal: 'less' }, gives: has({}) },
      { operation: 'claim_task', input: { task_id: 1, agent_id: 'builder', version: 1 }, gives: has({}) },
      { operation: 'verify_criterion', input: { criterion_id: 1, met: true }, gives: has({ met: true }) },
      { operation: 'add_dependency', input: { task_id: 2, depends_on_task_id: 1 }, gives: has({ id: 1 }) },
      {
        ...list({ limit: 4 }),
        gives: has({
          events: [
            event('task_dependency', 1, 'created', { metadata: { plan_id: 1, task_id: 2, depends_on_task_id: 1 } }),
            event('criterion', 1, 'updated', { changes: { met: { old: false, new: true } } }),
            event('task', 1, 'updated', {
              detail: 'claimed',
              changes: { state: { old: 'todo', new: 'doing' }, assigned_agent: { old: null, new: 'builder' } },
            }),
            event('plan', 1, 'updated', {
              changes: { title: { old: 'One', new: 'First' }, goal: { old: null, new: 'less' } },
            }),
          ],
        }),
      },
      { operation: 'update_plan', input: { plan_id: 1, title: 'First' }, gives: has({}) },
      { ...list({ entity_type: 'plan' }), gives: has({ total: 2 }) },
    ],
  },
  {
    name: 'K182 deletions, links and unlinks are in the log; a deleted task leaves no text there',
    steps: [
      note('Kafka', 'every service writes its events to kafka'),
      note('Cart', 'prices are kept in cents'),
      { operation: 'link_memories', input: { memory_id: 1, related_ids: [2] }, gives: has({}) },
      { operation: 'unlink_memories', input: { memory_id: 1, related_ids: [2] }, gives: has({ success: true }) },
      { operation: 'mark_memory_obsolete', input: { memory_id: 2, reason: 'wrong' }, gives: has({ success: true }) },
      {
        ...list({ entity_type: 'link' }),
        gives: has({ events: [event('link', 0, 'deleted'), event('link', 0, 'created')] }),
      },
      {
        ...list({ action: 'deleted', entity_type: 'memory' }),
        gives: has({ events: [event('memory', 2, 'deleted', { detail: 'obsoleted' })] }),
      },
      project,
      newPlan('One'),
      newTask(1, 'secret title'),
      { operation: 'delete_task', input: { task_id: 1 }, gives: has({}) },
      {
        ...history('task', 1),
        gives: has({
          events: [
            event('task', 1, 'deleted', { metadata: { plan_id: 1 } }),
            event('task', 1, 'created', { snapshot: null, metadata: {} }),
          ],
        }),
      },
    ],
  },
  {
    name: 'K183 the history of one thing of any kind is listed, and a kind that is none is refused',
    steps: [
      project,
      newPlan('One'),
      newPlan('Two'),
      { operation: 'update_plan', input: { plan_id: 1, status: 'active' }, gives: has({}) },
      {
        ...history('plan', 1),
        gives: has({ events: [event('plan', 1, 'updated'), event('plan', 1, 'created')], total: 2 }),
      },
      { ...history('plan', 7), gives: has({ events: [], total: 0 }) },
      { ...history('planet', 1), gives: refused('invalid_input', 'entity_type') },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
