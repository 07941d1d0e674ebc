// The shape of a row in LanceDB and the filter over it. LanceDB takes a filter as text without bound parameters: so nothing that a person
// wrote goes into one. Kinds, statuses and types are numbers made from their names (two names that share a number would only
// give a candidate more, which the re-read from SQLite drops), and owners are `kind:id` with a kind of our own.
import { createRequire } from 'node:module';
import type * as ArrowPackage from 'apache-arrow';
import { LociError } from '#shared/errors.ts';
import type { VectorPageRow } from './reader.ts';
import { projectIdsOf } from './scope-groups.ts';
import type { ScopeFilter, ThingKey } from './search-types.ts';

// LanceDB tells its own classes by `instanceof`: those of the ES module build are not the ones it loaded, and it would insert no row
const arrow = createRequire(import.meta.url)('apache-arrow') as typeof ArrowPackage;

/** One row a passage. */
export function lanceSchema(dimensions: number): ArrowPackage.Schema {
  const { Field, FixedSizeList, Float32, Int32, List, Schema, Utf8 } = arrow;
  const whole = (name: string) => new Field(name, new Int32(), false);
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('owner', new Utf8(), false),
    whole('passage'),
    whole('rev'),
    whole('user'),
    whole('kind'),
    whole('status'),
    whole('type'),
    new Field('projects', new List(new Field('item', new Int32(), true)), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ]);
}

/** Rows with their vectors one behind the other, as an Arrow table of `lanceSchema`. */
export function lanceTableOf(
  rows: readonly VectorPageRow[],
  vectors: Float32Array,
  dimensions: number,
): ArrowPackage.Table {
  const { Float32, Int32, makeData, makeVector, Table, Utf8, vectorFromArray } = arrow;
  const schema = lanceSchema(dimensions);
  const whole = (of: (row: VectorPageRow) => number) => vectorFromArray(rows.map(of), new Int32());
  const floats = makeData({ type: new Float32(), length: vectors.length, nullCount: 0, data: vectors });
  const lists = makeData({
    type: schema.fields.at(-1)?.type as ArrowPackage.FixedSizeList,
    length: rows.length,
    nullCount: 0,
    child: floats,
  });
  return new Table(schema, {
    id: vectorFromArray(rows.map(rowId), new Utf8()),
    owner: vectorFromArray(rows.map(ownerName), new Utf8()),
    passage: whole((row) => row.passage),
    rev: whole((row) => row.rev),
    user: whole((row) => row.userId),
    kind: whole((row) => nameNumber(row.kind)),
    status: whole((row) => nameNumber(row.status)),
    type: whole((row) => nameNumber(row.type)),
    projects: vectorFromArray(
      rows.map((row) => projectIdsOf(row.projects)),
      schema.fields[8]?.type as ArrowPackage.List,
    ),
    vector: makeVector(lists),
  });
}

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
function nameNumber(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash | 0;
}
