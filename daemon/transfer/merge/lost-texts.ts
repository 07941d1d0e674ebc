// Kinds without a history of their own are merged whole (merge-records.ts), so the text of the side that loses would be gone. Where it wins
// nothing here, it goes to the log of changes; but an older state of the thing itself, which the log tells of already, is no conflict.
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { RowKind } from '#daemon/storage/records/kinds.ts';
import { loggedText } from '#daemon/things/index.ts';
import { canonical } from './canonical.ts';

/** The log's own word for a kind; what is told of a thing under another word would not be erased with it. */
export function loggedKind(kind: RowKind): string {
  return kind === 'relationship' ? 'entity_relationship' : kind;
}

/** What a row of the log of changes holds, as JSON; null for none. */
export type LoggedRow = { readonly changes: string | null; readonly snapshot: string | null };

/** Words that are no text of anybody: what a thing is, whose it is, and bytes. */
const noText: ReadonlySet<string> = new Set([
  'data',
  'document_type',
  'entity_type',
  'kind',
  'mime_type',
  'plan',
  'priority',
  'project',
  'project_type',
  'source',
  'state',
  'status',
  'target',
  'uid',
]);

/** Of the fields that lose, those with a text that neither stands in the thing nor is told of by its log. */
export function unknownTexts(
  lost: readonly string[],
  incoming: ExportRecord,
  log: () => readonly LoggedRow[],
): string[] {
  const texts = lost.filter((word) => !noText.has(word) && typeof incoming[word] === 'string' && incoming[word] !== '');
  if (texts.length === 0) return [];
  const told = log().flatMap(({ changes, snapshot }) => [parsed(changes), parsed(snapshot)]);
  return texts.filter((word) => {
    const forms = [incoming[word], loggedText(incoming[word] as string)].map(canonical);
    return !told.some((said) => valuesOf(said[word]).some((value) => forms.includes(canonical(value))));
  });
}

/** Of a change both sides, of a snapshot the value itself. */
function valuesOf(said: unknown): unknown[] {
  if (typeof said !== 'object' || said === null) return [said];
  return 'old' in said || 'new' in said ? [(said as { old?: unknown }).old, (said as { new?: unknown }).new] : [said];
}

function parsed(json: string | null): Readonly<Record<string, unknown>> {
  return json === null ? {} : ((JSON.parse(json) ?? {}) as Record<string, unknown>);
}
