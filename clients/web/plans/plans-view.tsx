// Plans as boards: who works on what, what waits for what. Agents move the tasks; here one watches.
import type { listPlans, showPlan } from '#shared/contract/knowledge/plans.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { call } from '../api.ts';
import { Empty, useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf, route } from '../route.ts';
import { has } from '../session.ts';

type Board = OutputOf<typeof showPlan>;
type Task = Board['columns'][number]['tasks'][number];

export function PlansView() {
  const { id } = route.value;
  if (!has('list_plans')) {
    return (
      <Empty>
        <p>
          Plans are turned off: set <code>categories.plans</code> to true.
        </p>
      </Empty>
    );
  }
  return <div class="stack scroll">{id === null ? <PlanList /> : <PlanBoard id={id} />}</div>;
}

function PlanList() {
  const { loaded, again } = useLoaded((signal) => call<typeof listPlans>('list_plans', {}, signal), []);
  const now = loaded.value;
  return (
    <>
      <div class="view-head">
        <h1>Plans</h1>
        <p class="muted" role="status">
          {now.state === 'ready' && `${now.value.total.toLocaleString()} in all`}
        </p>
      </div>
      {now.state !== 'ready' && <Waiting loaded={now} again={again} />}
      {now.state === 'ready' && now.value.plans.length === 0 && (
        <Empty>
          <p>There is no plan yet.</p>
          <p class="muted">
            Agents make them for work that takes several sessions. By hand: <code>loci plan create</code>
          </p>
        </Empty>
      )}
      {now.state === 'ready' && now.value.plans.length > 0 && (
        <ul class="cards">
          {now.value.plans.map((plan) => (
            <li key={plan.id}>
              <a class="card" href={hrefOf('plans', plan.id)}>
                <strong>
                  <Text of={plan.title} />
                </strong>
                <span class="muted">
                  {plan.status}, {plan.task_count} {plan.task_count === 1 ? 'task' : 'tasks'}, changed{' '}
                  <Ago at={plan.updated_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function PlanBoard({ id }: { id: number }) {
  const { loaded, again } = useLoaded((signal) => call<typeof showPlan>('show_plan', { plan_id: id }, signal), [id]);
  const now = loaded.value;
  if (now.state !== 'ready') return <Waiting loaded={now} again={again} />;
  const { plan, columns, progress } = now.value;
  return (
    <>
      <div class="view-head">
        <h1>
          <Text of={plan.title} />
        </h1>
        <a href={hrefOf('plans')}>All plans</a>
      </div>
      <div class="board-head">
        {plan.goal !== null && (
          <p>
            <Text of={plan.goal} />
          </p>
        )}
        <label>
          <progress max={100} value={progress.percent} /> {progress.percent} % done, {progress.open} open,{' '}
          {progress.blocked} blocked
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="board" aria-label="Tasks by state" tabIndex={0}>
        {columns.map((column) => (
          <section key={column.state} class="column" aria-label={column.state}>
            <h2>
              {column.state} <span class="muted">{column.total}</span>
            </h2>
            <ul>
              {column.tasks.map((task) => (
                <TaskCard key={task.id} task={task} />
              ))}
            </ul>
            {column.total > column.tasks.length && <p class="muted">and {column.total - column.tasks.length} more</p>}
          </section>
        ))}
      </section>
    </>
  );
}

function TaskCard({ task }: { task: Task }) {
  return (
    <li class="card task">
      <strong>
        <Text of={task.title} />
      </strong>
      <span class="facts">
        <span class="kind">{task.priority}</span>
        {task.blocked && <span class="state">blocked</span>}
        {task.assigned_agent !== null && <Text of={task.assigned_agent} />}
        {task.criteria_total > 0 && (
          <span>
            {task.criteria_met} of {task.criteria_total} criteria
          </span>
        )}
        <span>#{task.id}</span>
      </span>
    </li>
  );
}
