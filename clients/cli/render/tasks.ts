// Tasks for people.
import {
  addCriterion,
  addDependency,
  claimTask,
  createTask,
  deleteTask,
  getTask,
  nextTask,
  queryTasks,
  removeDependency,
  renewTask,
  type TaskWords,
  transitionTask,
  updateTask,
  verifyCriterion,
} from '#shared/contract/knowledge/tasks.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { warningLines } from './plans.ts';
import { type Renderer, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs, table } from './table.ts';

export const taskRenderers: readonly (readonly [string, Renderer])[] = [
  rendererFor(createTask, (output, view) => ({
    result: `Created task ${view.style.cyan(`#${output.id}`)} (${output.priority}): ${escapeLine(output.title)}`,
  })),
  rendererFor(getTask, (output, view) => ({ result: taskPage(output, view) })),
  rendererFor(updateTask, (output, view) => ({ result: taskPage(output, view) })),
  rendererFor(claimTask, (output, view) => ({ result: taskPage(output, view) })),
  rendererFor(renewTask, (output) => ({ result: `Task #${output.id} is held until ${output.lease_expires_at}.` })),
  rendererFor(transitionTask, (output) => ({
    result: `Task #${output.id} is ${output.state}, version ${output.version}.`,
    notices: warningLines(output),
  })),
  rendererFor(deleteTask, (output) => ({
    result: `Erased task #${output.deleted_id}.`,
    notices: warningLines(output),
  })),
  rendererFor(addCriterion, (output) => ({ result: `Added criterion ${output.id} to task #${output.task_id}.` })),
  rendererFor(verifyCriterion, (output) => ({
    result: `Criterion ${output.id} of task #${output.task_id} is ${output.met ? 'met' : 'not met'}.`,
  })),
  rendererFor(addDependency, (output) => ({
    result: `Task #${output.task_id} waits for #${output.depends_on_task_id}.`,
  })),
  rendererFor(removeDependency, () => ({ result: 'Removed the dependency.' })),
];

export const nextTaskRenderer = rendererFor(nextTask, ({ task, blocked }, view) => ({
  result: task === null ? '' : taskPage(task, view),
  notices: task === null ? [`No task is ready; ${blocked} wait for others.`] : [],
}));

export const queryTasksRenderer = rendererFor(queryTasks, (output, view) => ({
  result:
    output.tasks.length === 0
      ? ''
      : table(
          [
            { head: 'ID', align: 'right', paint: view.style.cyan },
            { head: 'PRI' },
            { head: 'STATE' },
            { head: 'VERSION', align: 'right' },
            { head: 'CRITERIA', align: 'right' },
            { head: 'AGENT' },
            { head: 'TITLE' },
          ],
          output.tasks.map((task) => [
            String(task.id),
            task.priority,
            task.blocked ? `${task.state}, blocked` : task.state,
            String(task.version),
            task.criteria_total === 0 ? '' : `${task.criteria_met}/${task.criteria_total}`,
            task.assigned_agent ?? '',
            task.title,
          ]),
          view,
        ),
  notices: [
    ...(output.tasks.length === 0 ? ['No tasks.'] : []),
    ...(output.has_more ? [`${output.total - output.offset - output.tasks.length} more: use --offset.`] : []),
  ],
}));

function taskPage(task: TaskWords, view: View): string {
  const optional = (name: string, value: string | null): (readonly [string, string])[] =>
    value === null || value === '' ? [] : [[name, value]];
  const criteria = task.criteria.map(
    ({ id, met, description }) => `[${met ? 'x' : ' '}] ${id} ${escapeLine(description)}`,
  );
  return pairs(
    [
      ['task', `${view.style.cyan(`#${task.id}`)} ${escapeLine(task.title)}`],
      ['plan', `#${task.plan_id}`],
      ['state', `${task.state}${task.blocked ? ', blocked' : ''}`],
      ['priority', task.priority],
      ['version', String(task.version)],
      ...optional('agent', task.assigned_agent === null ? null : escapeLine(task.assigned_agent)),
      ...optional('lease', task.lease_expires_at),
      ...optional('waits for', task.dependency_ids.map((id) => `#${id}`).join(', ')),
      ...optional('description', task.description === null ? null : escapeBlock(task.description)),
      ...(criteria.length === 0 ? [] : [['criteria', `\n${criteria.join('\n')}`] as const]),
    ],
    view,
  );
}
