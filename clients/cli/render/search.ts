import { memorySearch } from '#shared/contract/lifecycle.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { ageOf } from './age.ts';
import { emphasise } from './emphasis.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

type Output = OutputOf<typeof memorySearch>;

export const searchRenderer = rendererFor(memorySearch, (output, view) => {
  const parts = [resultTable(output, view), relatedTable(output, view)].filter((part) => part !== '');
  return { result: parts.join('\n\n'), notices: noticesOf(output) };
});

function resultTable(output: Output, view: View): string {
  if (output.results.length === 0) return '';
  const { style } = view;
  const query = typeof view.input.query === 'string' ? view.input.query : '';
  const columns = [
    { head: 'ID', align: 'right', paint: style.cyan },
    { head: 'SCORE', align: 'right' },
    { head: 'AGE', align: 'right', paint: style.dim },
    { head: 'TITLE', paint: emphasise(query, style.bold) },
  ] as const;
  const rows = output.results.map((hit) => [
    String(hit.id),
    hit.score.toFixed(2),
    ageOf(hit.updated_at, view.nowMs),
    titleOf(hit),
  ]);
  const lines = table(columns, rows, view).split('\n');
  return lines
    .flatMap((line, index) => {
      const explain = output.results[index - 1]?.explain;
      return explain === undefined ? [line] : [line, style.dim(`    ${factors(explain)}`)];
    })
    .join('\n');
}

/** A hit of another project than the one asked for says where it is from. */
function titleOf(hit: Output['results'][number]): string {
  return hit.cross_project === true && hit.project !== null ? `${hit.title} [${hit.project}]` : hit.title;
}

function factors(explain: Readonly<Record<string, unknown>>): string {
  return Object.entries(explain)
    .map(([name, value]) => `${name} ${factorText(value)}`)
    .join('  ');
}

function factorText(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(3);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function relatedTable(output: Output, view: View): string {
  if (output.related.length === 0) return '';
  const columns = [
    { head: 'ID', align: 'right', paint: view.style.cyan },
    { head: 'SCORE', align: 'right' },
    { head: 'VIA' },
    { head: 'RELATED' },
  ] as const;
  const rows = output.related.map((hit) => [String(hit.id), hit.score.toFixed(2), hit.via, hit.title]);
  return table(columns, rows, view);
}

function noticesOf(output: Output): string[] {
  const notices: string[] = [];
  if (output.results.length === 0) notices.push('Nothing found.');
  if (output.hint !== undefined) notices.push(output.hint);
  if (output.degraded.length > 0) {
    notices.push(`This search did without: ${output.degraded.join(', ')}. \`loci health\` says why.`);
  }
  return notices;
}
