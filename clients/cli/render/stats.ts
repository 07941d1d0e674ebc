import type { OutputOf } from '#shared/contract/operation.ts';
import { memoryStats } from '#shared/contract/overview.ts';
import { sizeText } from './age.ts';
import { escapeLine } from './escape.ts';
import { runTable } from './jobs.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs } from './table.ts';
import { displayWidth, padWidth } from './width.ts';

type Output = OutputOf<typeof memoryStats>;

const barColumns = 30;
const shownProjects = 10;

export const statsRenderer = rendererFor(memoryStats, (output, view) => {
  const { memories, vectors, bytes } = output;
  const summary = pairs(
    [
      ['memories', `${memories.active} active, ${memories.archived} archived, ${memories.obsolete} obsolete`],
      ['read', `${output.accesses} times`],
      ['fading in 30 days', String(output.fading_in_30_days)],
      ['vectors', `${vectors.rows}, ${vectors.pending} pending (${vectors.model ?? 'no model'})`],
      [
        'on disk',
        `database ${sizeText(bytes.database)}, vectors ${sizeText(bytes.vectors)}, backups ${sizeText(bytes.backups)}`,
      ],
    ],
    view,
  );
  const sections = [
    section('Decay', decayBars(output, view), view),
    section('By type', bars(Object.entries(output.by_type), view.style.cyan), view),
    section('By tier', bars(Object.entries(output.by_tier), view.style.cyan), view),
    section('By project', projectBars(output, view), view),
    section('Saved in the last twelve weeks', growthLine(output), view),
    section('Fades next', fadingLines(output, view), view),
    section('Last job runs', output.jobs.length === 0 ? '' : runTable(output.jobs, view), view),
  ];
  return { result: [summary, ...sections.filter((text) => text !== '')].join('\n\n') };
});

function section(name: string, body: string, view: View): string {
  return body === '' ? '' : `${view.style.bold(name)}\n${body}`;
}

function decayBars({ decay }: Output, { style }: View): string {
  const paints: Record<string, (text: string) => string> = {
    fresh: style.green,
    aging: style.yellow,
    fading: style.red,
  };
  return bars(Object.entries(decay), (bar, name) => (paints[name] ?? style.cyan)(bar));
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A sparkline, oldest week first, with its total; nothing for a store that learned nothing in that time. */
function growthLine({ growth }: Output): string {
  const most = Math.max(0, ...growth.map(({ saved }) => saved));
  if (most === 0) return '';
  const bar = ({ saved }: { saved: number }): string =>
    saved === 0 ? '·' : (levels[Math.ceil((saved / most) * levels.length) - 1] ?? '');
  const total = growth.reduce((sum, { saved }) => sum + saved, 0);
  return `  ${growth.map(bar).join('')}  ${total}, at most ${most} a week`;
}

function fadingLines({ fading_next: next }: Output, { style }: View): string {
  return next
    .map(
      ({ id, title, fades_at: at }) => `  ${style.dim(at.slice(0, 10))}  ${style.cyan(`#${id}`)}  ${escapeLine(title)}`,
    )
    .join('\n');
}

function projectBars(output: Output, view: View): string {
  const sorted = [...output.by_project].sort((a, b) => b.memories - a.memories);
  const shown = bars(
    sorted.slice(0, shownProjects).map((project) => [project.name, project.memories]),
    view.style.cyan,
  );
  const rest = sorted.length - shownProjects;
  return rest > 0 ? `${shown}\n  and ${rest} more` : shown;
}

/** One line each: name, a bar in proportion to the largest, the number. A count above zero never has an empty bar. */
function bars(counts: readonly (readonly [string, number])[], paint: (bar: string, name: string) => string): string {
  const most = Math.max(1, ...counts.map(([, count]) => count));
  const width = Math.max(0, ...counts.map(([name]) => displayWidth(escapeLine(name))));
  return counts
    .map(([name, count]) => {
      const blocks = count === 0 ? 0 : Math.max(1, Math.round((count / most) * barColumns));
      const bar = paint('█'.repeat(blocks), name);
      return `  ${padWidth(escapeLine(name), width)}  ${bar}${blocks === 0 ? '' : ' '}${count}`;
    })
    .join('\n');
}
