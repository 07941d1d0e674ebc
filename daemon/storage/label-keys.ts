// Tags and types are compared without case, in every script. SQLite's own `lower` knows ASCII alone, so the folded form is stored
// beside the given one.
import { type RawBuilder, sql } from 'kysely';

/** A label in NFKC, trimmed and lower case. */
export function foldLabel(label: string): string {
  return label.normalize('NFKC').trim().toLowerCase();
}

/** JSON text of the folded labels, in their order. */
export function labelKeys(labels: readonly string[]): string {
  return JSON.stringify(labels.map(foldLabel));
}

/** A condition: the JSON list in `column` (of folded labels) holds any of `wanted`. */
export function hasAnyLabel(column: string, wanted: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}) where json_each.value in (${sql.join(wanted.map(foldLabel))}))`;
}
