// Lists of what is stored, for a person who keeps it in order.
import { memoryConflicts, memoryList, memoryMerge } from '#shared/contract/browse.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { listAgents } from '#shared/contract/page.ts';
import { ageOf } from './age.ts';
import { escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

type Page = OutputOf<typeof memoryList>;

export const listRenderer = rendererFor(memoryList, (output, view) => ({
  result: [linesTable(output.memories, view), ...facetTables(output, view)].filter((part) => part !== '').join('\n\n'),
  notices: output.has_more
    ? [`${output.total} in all; \`--offset ${output.offset + output.memories.length}\` shows what follows.`]
    : [],
}));

export const conflictsRenderer = rendererFor(memoryConflicts, (output, view) => ({
  result: table(
    [{ head: 'ID', align: 'right', paint: view.style.cyan }, { head: 'AGE', align: 'right' }, { head: 'SAYS' }],
    output.conflicts.flatMap(({ newer, older }) =>
      [newer, older].map((line) => [String(line.id), ageOf(line.updated_at, view.nowMs), line.title]),
    ),
    view,
  ),
  notices: [
    output.conflicts.length === 0
      ? 'No possible conflict is open.'
      : 'Two lines a pair, the newer first: `loci update NEWER --supersedes OLDER`, or `loci merge NEWER OLDER`.',
  ],
}));

export const mergeTwoRenderer = rendererFor(memoryMerge, (output) => ({
  result: `#${output.id} says both now: ${escapeLine(output.title)}`,
}));

export const agentsRenderer = rendererFor(listAgents, (output, view) => ({
  result: table(
    [
      { head: 'AGENT', paint: view.style.cyan },
      { head: 'MEMORIES', align: 'right' },
      { head: 'CHANGES', align: 'right' },
      { head: 'LAST SEEN', align: 'right' },
    ],
    output.agents.map(({ agent, memories, changes, last_seen_at: last }) => [
      agent,
      String(memories),
      String(changes),
      last === null ? 'never' : ageOf(last, view.nowMs),
    ]),
    view,
  ),
}));

function linesTable(lines: Page['memories'], view: View): string {
  if (lines.length === 0) return '';
  return table(
    [
      { head: 'ID', align: 'right', paint: view.style.cyan },
      { head: 'AGE', align: 'right', paint: view.style.dim },
      { head: 'TYPE' },
      { head: 'PROJECT' },
      { head: 'TITLE' },
    ],
    lines.map((line) => [
      String(line.id),
      ageOf(line.updated_at, view.nowMs),
      line.status === 'active' ? line.type : `${line.type}, ${line.status}`,
      line.project ?? '',
      line.title,
    ]),
    view,
  );
}

function facetTables({ facets }: Page, view: View): string[] {
  return Object.entries(facets ?? {}).map(([name, values]) =>
    table(
      [{ head: name.toUpperCase() }, { head: 'MEMORIES', align: 'right' }],
      values.map(({ value, count }) => [value ?? 'none', String(count)]),
      view,
    ),
  );
}
