// Plans, on every surface. K-numbers are the lines of the parity list.
import { expect } from 'vitest';
import { type Input, type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { has, newPlan, newTask, project, refused } from '../support/plan-steps.ts';

const update = (plan_id: number, fields: object) => ({ operation: 'update_plan', input: { plan_id, ...fields } });
const list = (input: Input = {}) => ({ operation: 'list_plans', input });
const move = (task_id: number, state: string, version: number) => ({
  operation: 'transition_task',
  input: { task_id, state, version },
});

const cases: SurfaceCase[] = [
  {
    name: 'K146 a plan is created with its defaults, read, listed newest first and updated; K150 an unknown one is not found',
    steps: [
      project,
      {
        operation: 'create_plan',
        input: { title: ' Move the cart ', project_id: 1 },
        gives: {
          output: {
            id: 1,
            plan_id: 1,
            title: 'Move the cart',
            project_id: 1,
            status: 'draft',
            external_ref: null,
            task_count: 0,
            goal: null,
            context: null,
            source_repo: null,
            source_files: [],
            source_url: null,
            confidence: null,
            encoding_agent: null,
            encoding_version: null,
            agent_id: null,
            agent_version: null,
            agent_model: null,
            created_at: '2026-01-05T09:00:00.000Z',
            updated_at: '2026-01-05T09:00:00.000Z',
          },
        },
      },
      newPlan('Second', { goal: 'less locks', context: 'peak season', confidence: 0.5, source_files: ['a.md'] }),
      { operation: 'get_plan', input: { plan_id: 2 }, gives: has({ goal: 'less locks', context: 'peak season' }) },
      { operation: 'get_plan', input: { id: 2 }, gives: has({ confidence: 0.5, source_files: ['a.md'] }) },
      {
        ...list(),
        gives: has({
          plans: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 1, task_count: 0 })],
          total_count: 2,
          total: 2,
          has_more: false,
        }),
      },
      {
        ...list({ limit: 1, offset: 1 }),
        gives: has({ plans: [expect.objectContaining({ id: 1 })], has_more: false }),
      },
      { ...list({ limit: 1 }), gives: has({ plans: [expect.objectContaining({ id: 2 })], has_more: true }) },
      { ...update(2, { goal: null, title: 'Two' }), gives: has({ title: 'Two', goal: null, context: 'peak season' }) },
      { ...update(2, {}), gives: has({ title: 'Two' }) },
      { operation: 'get_plan', input: { plan_id: 9 }, gives: refused('not_found', 'plan_id') },
      { operation: 'get_plan', input: {}, gives: refused('invalid_input', 'plan_id') },
      { operation: 'get_plan', input: { plan_id: 1, id: 2 }, gives: refused('invalid_input', 'plan_id') },
      { ...update(9, { title: 'x' }), gives: refused('not_found') },
      { operation: 'create_plan', input: { title: 'x', project_id: 9 }, gives: refused('not_found', 'project_id') },
      { operation: 'create_plan', input: { title: ' ', project_id: 1 }, gives: refused('invalid_input', 'title') },
      { ...update(1, { title: '' }), gives: refused('invalid_input', 'title') },
      {
        operation: 'create_plan',
        input: { title: 'x', project_id: 1, status: 'zzz' },
        gives: refused('invalid_input', 'status'),
      },
    ],
  },
  {
    name: 'K147 a plan goes draft, active, completed and back; K148 draft to completed is refused; the same status is no change',
    steps: [
      project,
      newPlan('Move the cart'),
      {
        ...update(1, { status: 'completed' }),
        gives: refused('rejected_by_policy', 'valid', /from draft to completed.*active, archived/),
      },
      { ...update(1, { status: 'draft' }), gives: has({ status: 'draft' }) },
      { ...update(1, { status: 'active' }), gives: has({ status: 'active' }) },
      { ...update(1, { status: 'draft' }), gives: refused('rejected_by_policy') },
      { ...update(1, { status: 'completed' }), gives: has({ status: 'completed' }) },
      { ...update(1, { status: 'archived', title: 'x' }), gives: refused('rejected_by_policy') },
      { operation: 'get_plan', input: { id: 1 }, gives: has({ status: 'completed', title: 'Move the cart' }) },
      { ...update(1, { status: 'active' }), gives: has({ status: 'active' }) },
      { ...update(1, { status: 'archived' }), gives: has({ status: 'archived' }) },
      { ...update(1, { status: 'active' }), gives: has({ status: 'active' }) },
    ],
  },
  {
    name: 'K149 plans are listed by status and project, and a status that is none is refused by name',
    steps: [
      project,
      newPlan('One'),
      newPlan('Two', { status: 'active' }),
      { ...list({ status: 'active' }), gives: has({ plans: [expect.objectContaining({ title: 'Two' })], total: 1 }) },
      {
        ...list({ project_id: 1, status: 'draft' }),
        gives: has({ plans: [expect.objectContaining({ title: 'One' })] }),
      },
      { ...list({ project_id: 2 }), gives: has({ plans: [], total: 0 }) },
      { ...list({ status: 'zzz' }), gives: refused('invalid_input', 'status', /archived/) },
    ],
  },
  {
    name: 'K151 an external_ref is trimmed, kept in its case, unique, found, kept by an archived plan, released by replacing and deleting',
    steps: [
      project,
      newPlan('One', { external_ref: '  shop/cart#42 ' }),
      { operation: 'get_plan', input: { id: 1 }, gives: has({ external_ref: 'shop/cart#42' }) },
      newPlan('Other case', { external_ref: 'Shop/Cart#42' }),
      newPlan('None'),
      newPlan('None again'),
      {
        ...list({ external_ref: ' shop/cart#42 ' }),
        gives: has({ plans: [expect.objectContaining({ id: 1 })], total: 1 }),
      },
      {
        operation: 'create_plan',
        input: { title: 'Twin', project_id: 1, external_ref: 'shop/cart#42' },
        gives: refused('conflict', 'external_ref', /list_plans/),
      },
      { ...update(2, { title: 'changed', external_ref: 'shop/cart#42' }), gives: refused('conflict', 'plan_id') },
      { operation: 'get_plan', input: { id: 2 }, gives: has({ title: 'Other case', external_ref: 'Shop/Cart#42' }) },
      { ...update(1, { external_ref: null }), gives: has({ external_ref: 'shop/cart#42' }) },
      { ...update(1, { external_ref: ' ' }), gives: refused('invalid_input', 'external_ref') },
      { ...update(1, { external_ref: 'x'.repeat(256) }), gives: refused('invalid_input', 'external_ref', /255/) },
      { ...update(1, { status: 'archived' }), gives: has({ external_ref: 'shop/cart#42' }) },
      { ...update(2, { external_ref: 'shop/cart#42' }), gives: refused('conflict') },
      { ...update(1, { external_ref: 'shop/cart#43' }), gives: has({ external_ref: 'shop/cart#43' }) },
      { ...update(2, { external_ref: 'shop/cart#42' }), gives: has({ external_ref: 'shop/cart#42' }) },
      { operation: 'delete_plan', input: { plan_id: 2 }, gives: has({ success: true, deleted_id: 2 }) },
      { ...update(1, { external_ref: 'shop/cart#42' }), gives: has({ external_ref: 'shop/cart#42' }) },
      { operation: 'delete_plan', input: { plan_id: 2 }, gives: refused('not_found') },
    ],
  },
  {
    name: 'K163 an active plan completes with its last task, but not when all are cancelled; reopening a task does not reopen it',
    steps: [
      project,
      newPlan('Active', { status: 'active' }),
      newTask(1, 'a'),
      newTask(1, 'b'),
      { ...move(1, 'cancelled', 1), gives: has({ state: 'cancelled', version: 2 }) },
      { ...move(2, 'cancelled', 1), gives: has({ state: 'cancelled' }) },
      { operation: 'get_plan', input: { id: 1 }, gives: has({ status: 'active' }) },
      { ...move(2, 'todo', 2), gives: has({ version: 3 }) },
      { ...move(2, 'doing', 3), gives: has({ version: 4 }) },
      { ...move(2, 'done', 4), gives: has({ state: 'done', version: 5 }) },
      { operation: 'get_plan', input: { id: 1 }, gives: has({ status: 'completed', task_count: 2 }) },
      { ...move(2, 'todo', 5), gives: has({ state: 'todo' }) },
      { operation: 'get_plan', input: { id: 1 }, gives: has({ status: 'completed' }) },
      {
        operation: 'create_task',
        input: { title: 'late', plan_id: 1 },
        gives: refused('rejected_by_policy', 'rule', /completed/),
      },
    ],
  },
  {
    name: 'K163 a draft plan never completes itself; an active one does when its last open task is deleted',
    steps: [
      project,
      newPlan('Draft'),
      newTask(1, 'a'),
      { ...move(1, 'doing', 1), gives: has({ version: 2 }) },
      { ...move(1, 'done', 2), gives: has({ state: 'done' }) },
      { operation: 'get_plan', input: { id: 1 }, gives: has({ status: 'draft' }) },
      newPlan('By deletion', { status: 'active' }),
      newTask(2, 'b'),
      newTask(2, 'c'),
      { ...move(2, 'doing', 1), gives: has({ version: 2 }) },
      { ...move(2, 'done', 2), gives: has({ state: 'done' }) },
      { operation: 'delete_task', input: { task_id: 3 }, gives: has({ deleted_id: 3 }) },
      { operation: 'get_plan', input: { id: 2 }, gives: has({ status: 'completed' }) },
    ],
  },
  {
    name: 'a board shows the tasks of a plan by state, the most urgent first, with what is blocked and how far it is',
    steps: [
      project,
      newPlan('Move the cart', { status: 'active' }),
      newTask(1, 'later'),
      newTask(1, 'first', { priority: 'P0', criteria: ['it works'] }),
      newTask(1, 'waits', { dependency_ids: [1] }),
      newTask(1, 'gone'),
      { ...move(4, 'cancelled', 1), gives: has({}) },
      { operation: 'claim_task', input: { task_id: 1, agent_id: 'a', version: 1 }, gives: has({}) },
      { ...move(1, 'waiting', 2), gives: has({}) },
      {
        operation: 'show_plan',
        input: { plan_id: 1 },
        gives: {
          output: {
            plan: expect.objectContaining({ id: 1, task_count: 4 }),
            columns: [
              {
                state: 'todo',
                total: 2,
                tasks: [
                  expect.objectContaining({ id: 2, blocked: false, criteria_met: 0, criteria_total: 1 }),
                  expect.objectContaining({ id: 3, blocked: true }),
                ],
              },
              { state: 'doing', total: 0, tasks: [] },
              { state: 'waiting', total: 1, tasks: [expect.objectContaining({ id: 1, assigned_agent: 'a' })] },
              { state: 'done', total: 0, tasks: [] },
              { state: 'cancelled', total: 1, tasks: [expect.objectContaining({ id: 4 })] },
            ],
            progress: { done: 0, cancelled: 1, open: 3, blocked: 1, percent: 0 },
          },
        },
      },
      { operation: 'show_plan', input: { id: 7 }, gives: refused('not_found') },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
