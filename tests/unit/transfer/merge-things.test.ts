// Things that keep no versions: each field has a time, and of any sides on any way every machine ends with the same thing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidedGroups, type TimedKind, timesOf, timesToTell } from '#daemon/storage/records/field-words.ts';
import { differing, mergeRecords } from '#daemon/transfer/merge/merge-records.ts';

type Thing = Record<string, unknown>;
type Edit = readonly [pause: number, change: Thing];

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const uid = '01920000-0000-7000-8000-000000000001';
const stamps = { uid, created_at: at(0), updated_at: at(0) };
const born: Partial<Record<TimedKind, Thing>> = {
  entity: {
    kind: 'entity',
    ...stamps,
    name: 'Ada',
    entity_type: 'Individual',
    custom_type: null,
    notes: null,
    tags: [],
  },
  file: { kind: 'file', ...stamps, filename: 'a.txt', mime_type: 'text/plain', data: 'YQ==', description: '' },
  task: {
    kind: 'task',
    ...stamps,
    title: 'one',
    description: null,
    state: 'todo',
    priority: 'P2',
    assigned_agent: null,
    lease_expires_at: null,
    version: 1,
    criteria: [],
  },
  project: { kind: 'project', ...stamps, name: 'shop', description: '', status: 'active', notes: null, aliases: [] },
};

/** A change as a store makes it: its fields are as new as the change; a tick is told by its criterion, not by the list. */
function changed(kind: TimedKind, thing: Thing, minute: number, given: Thing): Thing {
  const change =
    given.criteria === undefined ? given : { criteria: listed(thing, given.criteria as Criterion[], minute) };
  const fields = differing(thing, { ...thing, ...change });
  if (fields.length === 0) return thing;
  const [was, is] = [thing.criteria, change.criteria ?? thing.criteria].map((list) =>
    JSON.stringify(((list ?? []) as Criterion[]).map(({ description, created_at }) => [description, created_at])),
  );
  if (was === is) fields.splice(0, fields.length, ...fields.filter((field) => field !== 'criteria'));
  const times = { ...timesOf(kind, thing) };
  for (const field of fields) if (times[field] !== undefined) times[field] = at(minute);
  const version = kind === 'task' ? { version: Number(thing.version) + 1 } : {};
  return { ...thing, ...change, ...version, updated_at: at(minute), field_times: timesToTell(times, at(minute)) };
}

type Criterion = { description: string; met: boolean; created_at: string };

/** Those that are there stay what they are, but for what is ticked now. */
function listed(thing: Thing, wanted: readonly Criterion[], minute: number): Criterion[] {
  return wanted.map((want) => {
    const known = (thing.criteria as Criterion[]).find(({ description }) => description === want.description);
    if (known === undefined) return { ...want, created_at: at(minute), updated_at: at(minute) };
    return known.met === want.met ? known : { ...known, met: want.met, updated_at: at(minute) };
  });
}

const criterion = (description: string, met: boolean, minute: number): Thing => ({
  description,
  met,
  met_at: met ? at(minute) : null,
  created_at: at(0),
  updated_at: at(minute),
});

const changes: Partial<Record<TimedKind, fc.Arbitrary<Thing>>> = {
  entity: fc.oneof(
    fc.record({ notes: fc.constantFrom(null, 'a', 'b'), tags: fc.subarray(['x', 'y']) }, { requiredKeys: [] }),
    fc.constantFrom(
      { entity_type: 'Other', custom_type: 'robot' },
      { entity_type: 'Other', custom_type: 'ship' },
      { entity_type: 'Team', custom_type: null },
    ),
  ),
  file: fc.record(
    {
      data: fc.constantFrom('YQ==', 'Yg==', 'Yw=='),
      mime_type: fc.constantFrom('text/plain', 'text/csv'),
      filename: fc.constantFrom('a.txt', 'b.txt'),
    },
    { requiredKeys: [] },
  ),
  task: fc.oneof(
    fc.record({ title: fc.constantFrom('one', 'two'), priority: fc.constantFrom('P0', 'P1') }, { requiredKeys: [] }),
    fc.constantFrom(
      { state: 'doing', assigned_agent: 'ada', lease_expires_at: at(900) },
      { state: 'doing', assigned_agent: 'bob', lease_expires_at: null },
      { state: 'done' },
      { assigned_agent: null },
    ),
    fc
      .record({ which: fc.subarray(['c', 'd']), met: fc.boolean() })
      .map(({ which, met }) => ({ criteria: which.map((word) => criterion(word, met, 0)) })),
  ),
  project: fc.record(
    {
      description: fc.constantFrom('', 'a', 'b'),
      status: fc.constantFrom('active', 'archived'),
      aliases: fc.subarray(['old', 'older']),
    },
    { requiredKeys: [] },
  ),
};

const kinds = Object.keys(born) as TimedKind[];
const editsOf = (kind: TimedKind): fc.Arbitrary<Edit[]> =>
  fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), changes[kind] as fc.Arbitrary<Thing>), { maxLength: 4 });

function replay(kind: TimedKind, thing: Thing, edits: readonly Edit[]): Thing {
  let minute = (Date.parse(thing.updated_at as string) - Date.UTC(2026, 0, 1)) / 60_000;
  let state = thing;
  for (const [pause, change] of edits) {
    minute += pause;
    state = changed(kind, state, minute, change);
  }
  return state;
}

/** One kind with what some machines made, apart, of the same thing. */
const machines = (count: number) =>
  fc.constantFrom(...kinds).chain((kind) =>
    fc.tuple(editsOf(kind), fc.array(editsOf(kind), { minLength: count, maxLength: count })).map(([before, apart]) => {
      const base = replay(kind, born[kind] as Thing, before);
      return { kind, base, sides: apart.map((edits) => replay(kind, base, edits)) };
    }),
  );

const merge = (kind: TimedKind, a: Thing, b: Thing): Thing => mergeRecords(kind, a, b).record as Thing;
const [runs, none] = [{ numRuns: 600 }, {} as Thing];

describe('a thing that two machines changed', () => {
  it('is the same whichever side imports from the other, and importing again changes nothing', () => {
    fc.assert(
      fc.property(machines(2), ({ kind, sides: [a = none, b = none] }) => {
        const merged = merge(kind, a, b);
        expect(merge(kind, b, a)).toEqual(merged);
        for (const side of [a, b, merged]) expect(merge(kind, merged, side)).toEqual(merged);
        expect(differing(merge(kind, a, a), a)).toEqual([]);
      }),
      runs,
    );
  });

  it('ends the same on three machines, in whatever order their exports travel', () => {
    const ways = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 6 });
    fc.assert(
      fc.property(machines(3), ways, ({ kind, sides }, travels) => {
        const now = [...sides];
        const bring = (from: number, to: number) => {
          now[to] = merge(kind, now[to] as Thing, now[from] as Thing);
        };
        for (const [from, to] of travels) bring(from, to);
        for (const round of [0, 1, 2]) for (const to of [0, 1, 2]) if (to !== round) bring(round, to);
        for (const to of [0, 1]) bring(2, to);
        for (const to of [1, 2]) bring(0, to);
        expect(differing(now[0] as Thing, now[1] as Thing)).toEqual([]);
        expect(differing(now[0] as Thing, now[2] as Thing)).toEqual([]);
      }),
      runs,
    );
  });

  it('stays as it is where the other side is an earlier state of it', () => {
    fc.assert(
      fc.property(machines(1), ({ kind, base, sides: [grown = none] }) => {
        // names that a project once had are not taken back
        const known = kind === 'project' ? { ...grown, aliases: merge(kind, grown, base).aliases } : grown;
        expect(differing(merge(kind, grown, base), known)).toEqual([]);
      }),
      runs,
    );
  });

  it('has every field that only one side changed, and of both the later', () => {
    fc.assert(
      fc.property(machines(2), ({ kind, base, sides: [a = none, b = none] }) => {
        const merged = merge(kind, a, b);
        for (const words of decidedGroups(kind).filter((group) => group.length === 1 && group[0] !== 'criteria')) {
          const word = words[0] as string;
          const [atBase = '', ofA = '', ofB = ''] = [base, a, b].map((side) => timesOf(kind, side)[word]);
          if (ofA === atBase) expect(merged[word]).toEqual(b[word]);
          else if (ofB === atBase || ofA > ofB) expect(merged[word]).toEqual(a[word]);
          else if (ofB > ofA) expect(merged[word]).toEqual(b[word]);
        }
      }),
      runs,
    );
  });

  it('goes by its last change where a file tells no times of its fields', () => {
    const entity = born.entity as Thing;
    const here = changed('entity', changed('entity', entity, 5, { notes: 'early' }), 30, { tags: ['x'] });
    const { field_times: _, ...old } = changed('entity', entity, 20, { notes: 'between', tags: ['y'] });
    expect(merge('entity', here, old)).toMatchObject({ notes: 'between', tags: ['x'] });
    expect(merge('entity', old, here)).toMatchObject({ notes: 'between', tags: ['x'] });
  });

  it('takes what is said of a field from where the field comes', () => {
    const file = born.file as Thing;
    const bytes = changed('file', file, 10, { data: 'Yg==' });
    const type = changed('file', file, 20, { mime_type: 'text/csv' });
    expect(merge('file', bytes, type)).toMatchObject({ data: 'Yg==', mime_type: 'text/plain' });
    expect(merge('file', file, type)).toMatchObject({ data: 'YQ==', mime_type: 'text/csv' });
    const task = born.task as Thing;
    const done = changed('task', task, 10, { state: 'done' });
    const claimed = changed('task', task, 5, { state: 'doing', assigned_agent: 'ada', lease_expires_at: at(60) });
    expect(merge('task', claimed, done)).toMatchObject({ state: 'done', assigned_agent: null, lease_expires_at: null });
  });

  it('of a task has each criterion as it was ticked last, and is a version further than either side', () => {
    const criteria = [criterion('c', false, 0), criterion('d', false, 0)];
    const task = { ...(born.task as Thing), criteria };
    const one = { ...task, criteria: [criterion('c', true, 5), criteria[1]], version: 2, updated_at: at(5) };
    const two = { ...task, criteria: [criteria[0], criterion('d', true, 6)], version: 2, updated_at: at(6) };
    const merged = merge('task', one, two);
    expect(merged).toMatchObject({ version: 3, criteria: [{ met: true }, { met: true }] });
    expect(merge('task', merged, two)).toEqual(merged);
  });
});
