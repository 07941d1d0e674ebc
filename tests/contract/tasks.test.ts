// Tasks, on every surface. K-numbers are the lines of the parity list, B-numbers those of the public reports.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { has, newPlan, newTask, project, refused } from '../support/plan-steps.ts';

const start = [project, newPlan('Move the cart', { status: 'active' })];
const get = (task_id: number) => ({ operation: 'get_task', input: { task_id } });
const move = (task_id: number, state: string, version: unknown) => ({
  operation: 'transition_task',
  input: { task_id, state, version },
});
const claim = (task_id: number, version: unknown, agent_id = 'builder-1') => ({
  operation: 'claim_task',
  input: { task_id, agent_id, version },
});
const query = (input: object = {}) => ({ operation: 'query_tasks', input: { plan_id: 1, ...input } });
const depend = (task_id: number, depends_on_task_id: number) => ({
  operation: 'add_dependency',
  input: { task_id, depends_on_task_id },
});
const verify = (criterion_id: number, met: boolean) => ({
  operation: 'verify_criterion',
  input: { criterion_id, met },
});
const ids = (...wanted: number[]) => ({
  tasks: wanted.map((id) => expect.objectContaining({ id })),
  total: wanted.length,
});

const versionChecks = {
  claim_task: { task_id: 1, agent_id: 'a' },
  transition_task: { task_id: 1, state: 'doing' },
  update_task: { task_id: 1, title: 'never' },
};

const versionCases: SurfaceCase[] = Object.entries(versionChecks).map(([operation, input]) => ({
  name: `B66 ${operation} with a version that is old, of the future, negative, zero, a fraction or no number changes nothing; one sent as text is read`,
  steps: [
    ...start,
    newTask(1, 'a'),
    { operation: 'update_task', input: { task_id: 1, title: 'b' }, gives: has({ version: 2 }) },
    ...(operation === 'update_task' ? [] : [{ operation, input, gives: refused('invalid_input', 'version') }]),
    ...[-1, 0, 1.5, 'x', '', true].map((version) => ({
      operation,
      input: { ...input, version },
      gives: refused('invalid_input', 'version'),
    })),
    ...[1, 3, 9_007_199_254_740_991, '1', '3'].map((version) => ({
      operation,
      input: { ...input, version },
      gives: refused('conflict', 'version', /has version 2/),
    })),
    { ...get(1), gives: has({ state: 'todo', version: 2, title: 'b', assigned_agent: null }) },
    { operation, input: { ...input, version: '2' }, gives: has({ version: 3 }) },
  ],
}));

const cases: SurfaceCase[] = [
  {
    name: 'K152 a task is created with its defaults, read, queried and updated, each change a version further',
    steps: [
      ...start,
      {
        operation: 'create_task',
        input: { title: ' Write it ', plan_id: 1 },
        gives: has({
          id: 1,
          task_id: 1,
          plan_id: 1,
          title: 'Write it',
          description: null,
          state: 'todo',
          priority: 'P2',
          assigned_agent: null,
          version: 1,
          blocked: false,
          lease_expires_at: null,
          criteria: [],
          dependency_ids: [],
        }),
      },
      newTask(1, 'Urgent', { priority: 'P0', assigned_agent: 'builder-1', description: 'now' }),
      { ...get(2), gives: has({ priority: 'P0', assigned_agent: 'builder-1', description: 'now' }) },
      { ...query(), gives: has({ ...ids(2, 1), total_count: 2, has_more: false }) },
      { ...query({ priority: 'P2' }), gives: has(ids(1)) },
      { ...query({ assigned_agent: 'builder-1' }), gives: has(ids(2)) },
      { ...query({ state: 'done' }), gives: has(ids()) },
      { ...query({ limit: 1 }), gives: has({ total: 2, has_more: true }) },
      { ...query({ state: 'lost' }), gives: refused('invalid_input', 'state') },
      { ...query({ plan_id: 7 }), gives: refused('not_found') },
      { operation: 'query_tasks', input: {}, gives: refused('invalid_input', 'plan_id') },
      {
        operation: 'update_task',
        input: { task_id: 1, title: 'Write it well', priority: 'P1' },
        gives: has({ title: 'Write it well', priority: 'P1', version: 2 }),
      },
      { operation: 'update_task', input: { task_id: 1, priority: 'P1' }, gives: has({ version: 2 }) },
      {
        operation: 'update_task',
        input: { task_id: 1, title: 'x', version: 1 },
        gives: refused('conflict', 'version'),
      },
      { operation: 'update_task', input: { task_id: 1, priority: 'P9' }, gives: refused('invalid_input', 'priority') },
      { operation: 'update_task', input: { task_id: 9, title: 'x' }, gives: refused('not_found') },
      { ...get(9), gives: refused('not_found', 'task_id') },
      { operation: 'create_task', input: { title: 'x', plan_id: 9 }, gives: refused('not_found', 'plan_id') },
      { operation: 'delete_task', input: { task_id: 1 }, gives: has({ success: true, deleted_id: 1 }) },
      { operation: 'delete_task', input: { task_id: 1 }, gives: refused('not_found') },
    ],
  },
  {
    name: 'K153 a task goes todo, doing, done; K154 todo to done is refused with the moves there are, as is standing still',
    steps: [
      ...start,
      newTask(1, 'a'),
      newTask(1, 'b'),
      {
        ...move(1, 'done', 1),
        gives: refused('rejected_by_policy', 'valid', /from todo to done.*doing, waiting, cancelled/),
      },
      { ...move(1, 'todo', 1), gives: refused('rejected_by_policy', 'rule') },
      { ...move(1, 'doing', 1), gives: has({ state: 'doing', version: 2, assigned_agent: null }) },
      { ...move(1, 'done', 2), gives: has({ state: 'done', version: 3 }) },
      { ...move(1, 'doing', 3), gives: refused('rejected_by_policy') },
      { ...move(1, 'todo', 3), gives: has({ state: 'todo', version: 4 }) },
      { ...move(9, 'todo', 3), gives: refused('not_found') },
      { ...move(1, 'zzz', 4), gives: refused('invalid_input', 'state') },
    ],
  },
  {
    name: 'K155 a claim sets the agent and doing, a version further; K156 a stale version is a conflict that names the present one',
    steps: [
      ...start,
      newTask(1, 'a'),
      { ...claim(1, 1), gives: has({ state: 'doing', assigned_agent: 'builder-1', version: 2 }) },
      { ...claim(1, 1, 'builder-2'), gives: refused('conflict', 'version', /version 2, not 1/) },
      { ...claim(1, 2, 'builder-2'), gives: refused('rejected_by_policy', 'rule', /doing/) },
      { ...move(1, 'done', 1), gives: refused('conflict', 'version') },
      { ...get(1), gives: has({ state: 'doing', assigned_agent: 'builder-1', version: 2 }) },
      { ...move(1, 'waiting', 2), gives: has({ version: 3 }) },
      { ...claim(1, 3, 'builder-2'), gives: has({ state: 'doing', assigned_agent: 'builder-2', version: 4 }) },
      { ...claim(9, 1), gives: refused('not_found') },
    ],
  },
  ...versionCases,
  {
    name: 'K157 criteria are added, verified with the time, taken back and deleted, each a version of the task; K159 they come with the task, as texts or objects',
    steps: [
      ...start,
      {
        operation: 'create_task',
        input: { title: 'a', plan_id: 1, criteria: ['it works', { description: 'it is fast' }] },
        gives: has({
          criteria: [
            expect.objectContaining({
              id: 1,
              criterion_id: 1,
              task_id: 1,
              description: 'it works',
              met: false,
              met_at: null,
            }),
            expect.objectContaining({ id: 2, description: 'it is fast' }),
          ],
          version: 1,
        }),
      },
      {
        operation: 'add_criterion',
        input: { task_id: 1, description: 'it is small' },
        gives: has({ id: 3, task_id: 1, met: false }),
      },
      { ...get(1), gives: has({ version: 2 }) },
      { ...verify(1, true), gives: has({ met: true, met_at: '2026-01-05T09:00:00.000Z' }) },
      { ...verify(1, true), gives: has({ met: true }) },
      { ...get(1), gives: has({ version: 3 }) },
      { ...verify(1, false), gives: has({ met: false, met_at: null }) },
      {
        operation: 'update_criterion',
        input: { criterion_id: 2, description: 'it is quick', met: true },
        gives: has({ description: 'it is quick', met: true }),
      },
      { operation: 'delete_criterion', input: { criterion_id: 3 }, gives: has({ success: true }) },
      { ...get(1), gives: has({ version: 6, criteria: [expect.anything(), expect.anything()] }) },
      { operation: 'delete_criterion', input: { criterion_id: 3 }, gives: refused('not_found') },
      { ...verify(3, true), gives: refused('not_found', 'criterion_id') },
      { operation: 'add_criterion', input: { task_id: 9, description: 'x' }, gives: refused('not_found') },
      {
        operation: 'add_criterion',
        input: { task_id: 1, description: ' ' },
        gives: refused('invalid_input', 'description'),
      },
    ],
  },
  {
    name: 'K158 a task is done only when every criterion is met, and a done task takes no more of them',
    steps: [
      ...start,
      newTask(1, 'a', { criteria: ['it works'] }),
      newTask(1, 'b'),
      { ...claim(1, 1), gives: has({ version: 2 }) },
      {
        ...move(1, 'done', 2),
        gives: refused('rejected_by_policy', 'unmet', /1 acceptance criteria not met.*it works/),
      },
      { ...get(1), gives: has({ state: 'doing', version: 2 }) },
      { ...verify(1, true), gives: has({ met: true }) },
      { ...move(1, 'done', 3), gives: has({ state: 'done', version: 4 }) },
      {
        operation: 'add_criterion',
        input: { task_id: 1, description: 'more' },
        gives: refused('rejected_by_policy', 'rule'),
      },
      { ...verify(1, false), gives: has({ met: false }) },
    ],
  },
  {
    name: 'K160 a chain of dependencies gates doing, whether claimed or moved; a cancelled dependency does not block; K162 one that is removed neither',
    steps: [
      ...start,
      newTask(1, 'a'),
      newTask(1, 'b', { dependency_ids: [1] }),
      newTask(1, 'c', { dependency_ids: [2] }),
      {
        ...claim(2, 1),
        gives: refused('rejected_by_policy', 'blocking', /Dependency task 1 is not done \(state: todo\)/),
      },
      { ...move(3, 'doing', 1), gives: refused('rejected_by_policy', 'blocking') },
      { ...get(2), gives: has({ blocked: true, dependency_ids: [1], version: 1 }) },
      { ...move(1, 'doing', 1), gives: has({}) },
      { ...move(1, 'done', 2), gives: has({ state: 'done' }) },
      { ...get(2), gives: has({ blocked: false }) },
      { ...move(2, 'cancelled', 1), gives: has({}) },
      { ...claim(3, 1), gives: has({ state: 'doing' }) },
      newTask(1, 'd'),
      newTask(1, 'e', { dependency_ids: [4, 4] }),
      { operation: 'remove_dependency', input: { task_id: 5, depends_on_task_id: 4 }, gives: has({ success: true }) },
      { ...get(5), gives: has({ blocked: false, dependency_ids: [], version: 2 }) },
      {
        operation: 'remove_dependency',
        input: { task_id: 5, depends_on_task_id: 4 },
        gives: refused('not_found', undefined, /Dependency not found/),
      },
      { ...claim(5, 2), gives: has({ state: 'doing' }) },
      { ...depend(5, 4), gives: has({ task_id: 5, depends_on_task_id: 4 }) },
      { ...get(5), gives: has({ blocked: true, version: 4 }) },
      { operation: 'delete_task', input: { task_id: 4 }, gives: has({}) },
      { ...get(5), gives: has({ blocked: false, dependency_ids: [], version: 5 }) },
    ],
  },
  {
    name: 'B64 K161 a dependency on itself, into a cycle, on another plan or on nothing is refused with its path and changes nothing',
    steps: [
      ...start,
      newTask(1, 'a'),
      newTask(1, 'b'),
      newTask(1, 'c'),
      newPlan('Other'),
      newTask(2, 'elsewhere'),
      { ...depend(1, 1), gives: refused('invalid_input', 'depends_on_task_id', /itself/) },
      { ...depend(1, 2), gives: has({ id: 1, task_id: 1, depends_on_task_id: 2 }) },
      { ...depend(2, 3), gives: has({ id: 2 }) },
      { ...depend(3, 1), gives: refused('invalid_input', 'path', /3 -> 1 -> 2 -> 3/) },
      { ...depend(2, 1), gives: refused('invalid_input', 'path', /2 -> 1 -> 2/) },
      { ...depend(1, 2), gives: refused('conflict') },
      { ...depend(1, 4), gives: refused('invalid_input', 'depends_on_task_id', /plan 2, not plan 1/) },
      { ...depend(1, 99), gives: refused('not_found') },
      { ...depend(99, 1), gives: refused('not_found') },
      {
        operation: 'create_task',
        input: { title: 'd', plan_id: 1, criteria: ['x'], dependency_ids: [1, 99] },
        gives: refused('not_found', 'dependency_ids'),
      },
      {
        operation: 'create_task',
        input: { title: 'd', plan_id: 1, dependency_ids: [4] },
        gives: refused('invalid_input', 'dependency_ids'),
      },
      { ...get(1), gives: has({ dependency_ids: [2], version: 2 }) },
      { ...get(2), gives: has({ dependency_ids: [3], version: 2 }) },
      { ...get(3), gives: has({ dependency_ids: [], version: 1, blocked: false }) },
      { ...query(), gives: has(ids(1, 2, 3)) },
    ],
  },
  {
    name: 'next_task claims the most urgent ready task that is free, and says how many are blocked when there is none',
    steps: [
      ...start,
      newTask(1, 'later'),
      newTask(1, 'urgent, kept for another', { priority: 'P0', assigned_agent: 'builder-2' }),
      newTask(1, 'high', { priority: 'P1' }),
      newTask(1, 'critical, but waits', { priority: 'P0', dependency_ids: [1] }),
      {
        operation: 'next_task',
        input: { plan_id: 1, agent_id: 'builder-1', lease_seconds: 60 },
        gives: has({
          task: expect.objectContaining({
            id: 3,
            state: 'doing',
            assigned_agent: 'builder-1',
            version: 2,
            lease_expires_at: '2026-01-05T09:01:00.000Z',
          }),
          blocked: 1,
        }),
      },
      {
        operation: 'renew_task',
        input: { task_id: 3, agent_id: 'builder-1', lease_seconds: 120 },
        gives: has({ version: 3, lease_expires_at: '2026-01-05T09:02:00.000Z' }),
      },
      {
        operation: 'renew_task',
        input: { task_id: 3, agent_id: 'builder-2', lease_seconds: 120 },
        gives: refused('conflict', 'assigned_agent'),
      },
      {
        operation: 'next_task',
        input: { plan_id: 1, agent_id: 'builder-2' },
        gives: has({ task: expect.objectContaining({ id: 2 }) }),
      },
      {
        operation: 'next_task',
        input: { plan_id: 1, agent_id: 'builder-1' },
        gives: has({ task: expect.objectContaining({ id: 1 }) }),
      },
      {
        operation: 'next_task',
        input: { plan_id: 1, agent_id: 'builder-1' },
        gives: { output: { task: null, blocked: 1 } },
      },
      { operation: 'next_task', input: { plan_id: 9, agent_id: 'builder-1' }, gives: refused('not_found') },
      {
        operation: 'next_task',
        input: { plan_id: 1, agent_id: 'a', lease_seconds: 0 },
        gives: refused('invalid_input', 'lease_seconds'),
      },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
