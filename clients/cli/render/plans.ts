// Plans for people: lists, one plan, and the board.
import {
  createPlan,
  deletePlan,
  getPlan,
  listPlans,
  type PlanWords,
  showPlan,
  updatePlan,
} from '#shared/contract/knowledge/plans.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import type { TaskSummaryWords } from '#shared/contract/knowledge/tasks.ts';
import { ageOf } from './age.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { type Rendered, type Renderer, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs, table } from './table.ts';
import { fitWidth, padWidth } from './width.ts';

export const planRenderers: readonly (readonly [string, Renderer])[] = [
  rendererFor(createPlan, (output, view) => ({
    result: `Created plan ${view.style.cyan(`#${output.id}`)} (${output.status}): ${escapeLine(output.title)}`,
    notices: warningLines(output),
  })),
  rendererFor(getPlan, planPage),
  rendererFor(updatePlan, (output, view) => ({ ...planPage(output, view), notices: warningLines(output) })),
  rendererFor(deletePlan, (output) => ({ result: `Erased plan #${output.deleted_id} with its tasks.` })),
];

export const listPlansRenderer = rendererFor(listPlans, (output, view) => ({
  result:
    output.plans.length === 0
      ? ''
      : table(
          [
            { head: 'ID', align: 'right', paint: view.style.cyan },
            { head: 'STATUS' },
            { head: 'TASKS', align: 'right' },
            { head: 'AGE', align: 'right' },
            { head: 'REF' },
            { head: 'TITLE' },
          ],
          output.plans.map((plan) => [
            String(plan.id),
            plan.status,
            String(plan.task_count),
            ageOf(plan.created_at, view.nowMs),
            plan.external_ref ?? '',
            plan.title,
          ]),
          view,
        ),
  notices: [
    ...(output.plans.length === 0 ? ['No plans.'] : []),
    ...(output.has_more ? [`${output.total - output.offset - output.plans.length} more: use --offset.`] : []),
  ],
}));

export const boardRenderer = rendererFor(showPlan, ({ plan, columns, progress }, view) => {
  const { style } = view;
  const counts = [`${progress.done} done`, `${progress.open} open`];
  if (progress.blocked > 0) counts.push(`${progress.blocked} blocked`);
  if (progress.cancelled > 0) counts.push(`${progress.cancelled} cancelled`);
  const head = [
    `${style.cyan(`#${plan.id}`)} ${style.bold(escapeLine(plan.title))} (${plan.status})`,
    ...(plan.goal === null ? [] : [style.dim(escapeLine(plan.goal))]),
    `${progressBar(progress.percent)} ${progress.percent}%  ${counts.join(', ')}`,
  ];
  const shown = columns.filter((column) => column.total > 0);
  const columnRoom = Math.floor(((view.columns ?? 0) - gap.length * (shown.length - 1)) / Math.max(1, shown.length));
  const board = columnRoom >= leastColumn ? sideBySide(shown, columnRoom, view) : oneBelowAnother(shown, view);
  return { result: [...head, ...(shown.length === 0 ? ['', 'No tasks yet.'] : ['', board])].join('\n') };
});

/** Remarks of policies, a line each. */
export function warningLines({ plugin_warnings }: { plugin_warnings?: PluginWarning[] | undefined }): string[] {
  return (plugin_warnings ?? []).map(({ message }) => `warning: ${escapeLine(message)}`);
}

type BoardColumn = { readonly state: string; readonly total: number; readonly tasks: readonly TaskSummaryWords[] };

const gap = '  ';
const leastColumn = 18;
const barLength = 20;

function progressBar(percent: number): string {
  const full = Math.round((barLength * percent) / 100);
  return `[${'#'.repeat(full)}${'.'.repeat(barLength - full)}]`;
}

/** Columns as wide as the terminal allows, cut to fit. */
function sideBySide(columns: readonly BoardColumn[], room: number, view: View): string {
  const cells = columns.map((column) => cardsOf(column).map((card) => fitWidth(card, room)));
  const height = Math.max(...cells.map((column) => column.length));
  const heads = columns.map((column) => view.style.bold(padWidth(headOf(column), room)));
  const lines = Array.from({ length: height }, (_, row) =>
    cells
      .map((column) => painted(padWidth(column[row] ?? '', room), view))
      .join(gap)
      .trimEnd(),
  );
  return [heads.join(gap).trimEnd(), ...lines].join('\n');
}

/** For a narrow terminal and for pipes: nothing is cut. */
function oneBelowAnother(columns: readonly BoardColumn[], view: View): string {
  return columns
    .map((column) =>
      [view.style.bold(headOf(column)), ...cardsOf(column).map((card) => `  ${painted(card, view)}`)].join('\n'),
    )
    .join('\n\n');
}

function headOf({ state, total }: BoardColumn): string {
  return `${state.toUpperCase()} ${total}`;
}

const blockedMark = '[blocked]';

function cardsOf({ tasks, total }: BoardColumn): string[] {
  const cards = tasks.map((task) => {
    const marks = [
      ...(task.blocked ? [blockedMark] : []),
      ...(task.criteria_total > 0 ? [`${task.criteria_met}/${task.criteria_total}`] : []),
      ...(task.assigned_agent === null ? [] : [`@${escapeLine(task.assigned_agent)}`]),
    ];
    return [`#${task.id}`, task.priority, ...marks, escapeLine(task.title)].join(' ');
  });
  return total > tasks.length ? [...cards, `… ${total - tasks.length} more`] : cards;
}

function painted(card: string, { style }: View): string {
  return card.includes(blockedMark) ? style.yellow(card) : card;
}

function planPage(plan: PlanWords, view: View): Rendered {
  const text = (name: string, value: string | null): (readonly [string, string])[] =>
    value === null ? [] : [[name, escapeBlock(value)]];
  return {
    result: pairs(
      [
        ['plan', `${view.style.cyan(`#${plan.id}`)} ${escapeLine(plan.title)}`],
        ['status', plan.status],
        ['project', `#${plan.project_id}`],
        ['tasks', String(plan.task_count)],
        ...text('ref', plan.external_ref),
        ...text('goal', plan.goal),
        ...text('context', plan.context),
        ['updated', plan.updated_at],
      ],
      view,
    ),
  };
}
