// Rows of Forgetful's tables: what all of them have in common.
import { withoutPrivateSpans } from '#daemon/secrets/private-spans.ts';
import type { ForeignDatabase, ForeignRow } from './foreign-database.ts';
import { instantOf, numberOf, textOf, textsOf } from './read-values.ts';
import type { Item, ReaderTools } from './reader.ts';

/** Whose each row of a table is. */
export function usersById(db: ForeignDatabase, table: string): Map<unknown, unknown> {
  const users = new Map<unknown, unknown>();
  for (const found of db.rows(table)) if ('row' in found) users.set(found.row.id, found.row.user_id);
  return users;
}

/** What each row of a table of ties is tied to, by its left end. */
export function tiedIn(db: ForeignDatabase, table: string, left: string, right: string): Map<unknown, unknown[]> {
  const tied = new Map<unknown, unknown[]>();
  for (const found of db.rows(table)) {
    if ('problem' in found) continue;
    tied.set(found.row[left], [...(tied.get(found.row[left]) ?? []), found.row[right]]);
  }
  return tied;
}

/** A record for each row, told by its table and number where it is no good. */
export function* each(
  db: ForeignDatabase,
  table: string,
  record: (row: ForeignRow) => Record<string, unknown>,
): Generator<Item> {
  for (const found of db.rows(table)) {
    if ('problem' in found) yield { line: null, problem: found.problem };
    else yield { line: null, at: `row ${found.row.id ?? found.row.loci_rowid} of ${table}`, record: record(found.row) };
  }
}

export function provenanceOf(row: ForeignRow) {
  return {
    source_repo: textOf(row.source_repo),
    source_files: textsOf(row.source_files),
    source_url: textOf(row.source_url),
    confidence: numberOf(row.confidence, 0, 1),
    encoding_agent: textOf(row.encoding_agent),
    encoding_version: textOf(row.encoding_version),
    agent_id: textOf(row.agent_id),
    agent_version: textOf(row.agent_version),
    agent_model: textOf(row.agent_model),
  };
}

export function stampsOf(row: ForeignRow, tools: ReaderTools) {
  const created_at = instantOf(row.created_at) ?? tools.nowIso;
  return { created_at, updated_at: instantOf(row.updated_at) ?? created_at };
}

/** What a text says outside of <private>. */
export function saidIn(value: unknown): string | null {
  return textOf(withoutPrivateSpans(textOf(value) ?? ''));
}

export function isSet(value: unknown): boolean {
  return value === 1 || value === true || value === 'true';
}

export function isId(value: unknown): boolean {
  return value !== null && value !== undefined;
}
