import { escapeLine } from './escape.ts';
import type { View } from './style.ts';
import { displayWidth, fitWidth, padWidth } from './width.ts';

export type Column = {
  readonly head: string;
  readonly align?: 'left' | 'right';
  /** Paints the text of a cell after it was cut and escaped. */
  readonly paint?: (text: string) => string;
};

const gap = '  ';
const minLastColumn = 20;

/** Lines of a table; cells are escaped here. The last column takes what the terminal leaves and is cut there, never when piped. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], view: View): string {
  const cells = rows.map((row) => row.map(escapeLine));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.head), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + gap.length, 0);
  const room = view.columns === null ? Number.POSITIVE_INFINITY : Math.max(minLastColumn, view.columns - before);
  const line = (row: readonly string[], isHead: boolean): string =>
    columns
      .map((column, index) => {
        const text = row[index] ?? '';
        const shown = index === last && column.align !== 'right' ? fitWidth(text, room) : text;
        const space = padWidth(shown, widths[index] ?? 0, column.align).length - shown.length;
        const painted = isHead ? view.style.dim(shown) : (column.paint ?? ((plain) => plain))(shown);
        if (column.align === 'right') return ' '.repeat(space) + painted;
        return index === last ? painted : painted + ' '.repeat(space);
      })
      .join(gap);
  const heads = columns.map((column) => column.head);
  return [line(heads, true), ...cells.map((row) => line(row, false))].join('\n');
}

/** Lines of `name  value`, names aligned; values of several lines go below their name, indented. */
export function pairs(entries: readonly (readonly [string, string])[], view: View): string {
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  return entries
    .map(([name, value]) => {
      const lines = value.split('\n');
      if (lines.length === 1) return `${view.style.dim(padWidth(name, width))}${gap}${value}`.trimEnd();
      return [view.style.dim(name), ...lines.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
    })
    .join('\n');
}
