// The shape of a row in LanceDB. For the vector process alone: Apache Arrow would cost the daemon memory that it does not need.
import { createRequire } from 'node:module';
import type * as ArrowPackage from 'apache-arrow';
import type { VectorPageRow } from '../reader.ts';
import { projectIdsOf } from '../vectors/scope-groups.ts';
import { nameNumber, ownerName, rowId } from './lance-names.ts';

// LanceDB tells its own classes by `instanceof`: those of the ES module build are not the ones it loaded, and it would insert no row
const arrow = createRequire(import.meta.url)('apache-arrow') as typeof ArrowPackage;

/** With this mark on a column LanceDB compares what two writers add at once, and lets one of them try again, so that no row is there twice. */
const unique = new Map([['lance-schema:unenforced-primary-key', 'true']]);

/** One row a passage. `isShared`: daemons of several machines write the table. */
export function lanceSchema(dimensions: number, { isShared = false } = {}): ArrowPackage.Schema {
  const { Field, FixedSizeList, Float32, Int32, List, Schema, Utf8 } = arrow;
  const whole = (name: string) => new Field(name, new Int32(), false);
  return new Schema([
    new Field('id', new Utf8(), false, isShared ? unique : undefined),
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
