// An administrator's policies, on every surface. K-numbers are the lines of the parity list.
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfacesWith } from '../support/daemon-surfaces.ts';
import { has, newPlan, newTask, project, refused } from '../support/plan-steps.ts';
import { root } from '../support/source-tree.ts';

const policy = join(root, 'tests/fixtures/strict-policy.mjs');
const note = (title: string) => ({
  operation: 'create_memory',
  input: { title, content: 'prices are kept in cents', importance: 5 },
});
const plan = (title: string) => ({ operation: 'create_plan', input: { title, project_id: 1 } });
const entity = (name: string) => ({ operation: 'create_entity', input: { name, entity_type: 'System' } });
const rename = (entity_id: number, name: string) => ({ operation: 'update_entity', input: { entity_id, name } });
const move = (task_id: number, state: string, version: number) => ({
  operation: 'transition_task',
  input: { task_id, state, version },
});
const remarked = [{ outcome: 'warn', message: 'Mind the title.', code: 'title' }];

const cases: SurfaceCase[] = [
  {
    name: 'K200 a memory policy refuses, remarks, remarks afterwards and fails, and what it refused is not there',
    steps: [
      {
        ...note('refuse me'),
        gives: refused('rejected_by_policy', 'outcome', /^WRITE_PLUGIN_REJECTED: Not like this\.$/),
      },
      { ...note('break'), gives: refused('unavailable', 'outcome', /^WRITE_PLUGIN_UNAVAILABLE: Memory Write Plugin/) },
      { ...note('remark'), gives: has({ id: 1, plugin_warnings: remarked }) },
      { ...note('late'), gives: has({ id: 2, plugin_warnings: [{ outcome: 'warn', message: 'Seen afterwards.' }] }) },
      { ...note('fine'), gives: { output: expect.not.objectContaining({ plugin_warnings: expect.anything() }) } },
      {
        operation: 'update_memory',
        input: { memory_id: 3, title: 'now remark' },
        gives: has({ title: 'now remark', plugin_warnings: remarked }),
      },
      {
        operation: 'update_memory',
        input: { memory_id: 3, title: 'refuse me' },
        gives: refused('rejected_by_policy', 'code'),
      },
      { operation: 'get_memory', input: { id: 3 }, gives: has({ title: 'now remark' }) },
      { operation: 'get_recent_memories', input: { limit: 10 }, gives: has({ total: 3 }) },
    ],
  },
  {
    name: 'K166 a plan policy refuses, remarks and fails, and keeps a plan from completing itself while the task is done',
    steps: [
      project,
      {
        ...plan('refuse me'),
        gives: refused('rejected_by_policy', 'outcome', /^PLAN_PLUGIN_REJECTED: Not like this\.$/),
      },
      { ...plan('break'), gives: refused('unavailable', 'outcome', /^PLAN_PLUGIN_UNAVAILABLE: Plan Plugin/) },
      { ...plan('remark'), gives: has({ id: 1, plugin_warnings: remarked }) },
      newPlan('Move the cart', { status: 'active' }),
      newTask(2, 'a'),
      { ...move(1, 'doing', 1), gives: has({ version: 2 }) },
      {
        ...move(1, 'done', 2),
        gives: has({
          state: 'done',
          version: 3,
          plugin_warnings: [
            {
              outcome: 'warn',
              message: expect.stringMatching(/plan was not completed.*Not like this/),
              code: 'plan_auto_completion_rejected',
            },
          ],
        }),
      },
      { operation: 'get_plan', input: { id: 2 }, gives: has({ status: 'active' }) },
      { operation: 'list_plans', input: {}, gives: has({ total: 2 }) },
    ],
  },
  {
    name: 'K200 an entity policy refuses, remarks and fails, on birth and on change',
    steps: [
      {
        ...entity('refuse me'),
        gives: refused('rejected_by_policy', 'outcome', /^WRITE_PLUGIN_REJECTED: Not like this\.$/),
      },
      {
        ...entity('break'),
        gives: refused('unavailable', 'outcome', /^WRITE_PLUGIN_UNAVAILABLE: Entity Write Plugin/),
      },
      { ...entity('remark'), gives: has({ id: 1, plugin_warnings: remarked }) },
      { ...rename(1, 'late'), gives: has({ plugin_warnings: [{ outcome: 'warn', message: 'Seen afterwards.' }] }) },
      { ...rename(1, 'late'), gives: { output: expect.not.objectContaining({ plugin_warnings: expect.anything() }) } },
      { ...rename(1, 'refuse me'), gives: refused('rejected_by_policy', 'code') },
      { operation: 'get_entity', input: { entity_id: 1 }, gives: has({ name: 'late' }) },
    ],
  },
];

const settings = { LOCI_POLICIES_MEMORY: policy, LOCI_POLICIES_ENTITY: policy, LOCI_POLICIES_PLAN: policy };
testOnEverySurface(cases, daemonSurfacesWith(settings));
