// How things are named in LanceDB, and the filter over them. LanceDB takes a filter as text without bound parameters: so nothing that a
// person wrote goes into one. Kinds, statuses and types are numbers made from their names (two names that share a number would only
// give a candidate more, which the re-read from SQLite drops), and owners are `kind:id` with a kind of our own.
import { LociError } from '#shared/errors.ts';
import type { ScopeFilter, ThingKey } from '../search-types.ts';

/** `memory:12:0`: one row. */
export function rowId(row: ThingKey & { readonly passage: number }): string {
  return `${ownerName(row)}:${row.passage}`;
}

/** `memory:12`. Throws `internal` for a kind that is not one of ours. */
export function ownerName({ kind, id }: ThingKey): string {
  if (!/^[a-z_]+$/.test(kind) || !Number.isSafeInteger(id)) {
    throw new LociError('internal', 'A thing has a kind or an id that no index takes.');
  }
  return `${kind}:${id}`;
}

/** `memory:12` or `memory:12:0` → its thing. */
export function nameToKey(name: string): ThingKey {
  const [kind = '', id = ''] = name.split(':');
  return { kind, id: Number(id) };
}

/** Rows of these things. */
export function ownersFilter(keys: readonly ThingKey[]): string {
  return `owner IN (${keys.map((key) => `'${ownerName(key)}'`).join(', ')})`;
}

/** The scope as a LanceDB condition; null for a scope that admits nothing. */
export function scopeToWhere(filter: ScopeFilter): string | null {
  const { userId, kinds, statuses, types, projectIds, exclude = [] } = filter;
  if (kinds.length === 0 || statuses.length === 0 || types?.length === 0) return null;
  const oneOf = (column: string, names: readonly string[]) => `${column} IN (${names.map(nameNumber).join(', ')})`;
  const conditions = [`user = ${wholeNumber(userId)}`, oneOf('kind', kinds), oneOf('status', statuses)];
  if (types !== null) conditions.push(oneOf('type', types));
  if (projectIds?.length === 0) conditions.push('array_length(projects) = 0');
  else if (projectIds !== null) conditions.push(`array_has_any(projects, [${projectIds.map(wholeNumber).join(', ')}])`);
  if (exclude.length > 0) conditions.push(`NOT (${ownersFilter(exclude)})`);
  return conditions.join(' AND ');
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new LociError('internal', 'A filter needs whole numbers.');
  return String(value);
}

/** A name as a signed 32-bit number (FNV-1a over its UTF-16 units). */
export function nameNumber(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash | 0;
}
