// The answer of an operation that has no renderer of its own, so that a new operation is readable on the day it is declared.
import { escapeBlock, escapeLine } from './escape.ts';
import type { Rendered } from './rendered.ts';
import type { View } from './style.ts';
import { pairs, table } from './table.ts';

/** Objects as `name  value`, lists of flat objects as tables, anything else as text. */
export function renderAnyShape(output: unknown, view: View): Rendered {
  return { result: shapeText(output, view) };
}

function shapeText(value: unknown, view: View): string {
  if (Array.isArray(value)) return listText(value, view);
  if (!isRecord(value)) return scalarText(value);
  return pairs(
    Object.entries(value).map(([name, member]) => [escapeLine(name), shapeText(member, view)]),
    view,
  );
}

function listText(values: readonly unknown[], view: View): string {
  if (values.length === 0) return 'none';
  if (values.every(isRecord)) {
    const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
    const rows = values.map((value) => names.map((name) => cellText(value[name])));
    return table(
      names.map((name) => ({ head: escapeLine(name.toUpperCase()) })),
      rows,
      view,
    );
  }
  return values
    .map((value) => (isRecord(value) || Array.isArray(value) ? cellText(value) : scalarText(value)))
    .join('\n');
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? escapeBlock(value) : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
