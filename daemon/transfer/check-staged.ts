// What can only be checked when the whole file is read: that every reference leads to something in the file or in the store, that tasks do
// not wait for each other in a circle, and under which uid a thing of the file is known here already.
import type Sqlite from 'better-sqlite3';
import { foldName } from '#daemon/projects/index.ts';
import { prepared } from '#daemon/storage/prepared.ts';
import { isRowKind, type RowKind, recordKinds } from '#daemon/storage/records/kinds.ts';
import { ownerOf } from '#daemon/storage/records/read-record.ts';
import type { Ref } from './format/refs.ts';
import type { Problems } from './problems.ts';
import { uidFrom } from './source-uid.ts';
import type { Staging } from './staging.ts';

export type StoreSide = {
  /** Read-only connection to the store. */
  readonly db: Sqlite.Database;
  readonly userId: number;
  readonly userUid: string;
};

/** Marks what is here already, and finds things that go by another uid here. */
export function matchExisting(staging: Staging, { db, userId, userUid }: StoreSide): void {
  const mark = staging.db.prepare('UPDATE records SET present = 1 WHERE seq = ?');
  const json = staging.db.prepare<[number], string>('SELECT json FROM records WHERE seq = ?').pluck();
  for (const kind of recordKinds.filter(isRowKind)) {
    for (const { seq, thing } of staging.things(kind)) {
      const owner = ownerOf(db, kind, thing);
      if (owner?.userId === userId) mark.run(seq);
      else if (owner !== null) {
        // another user's: the same thing, but a copy of one's own
        const local = uidFrom('copy', userUid, thing);
        staging.alias(kind, thing, local);
        if (ownerOf(db, kind, local) !== null) mark.run(seq);
      } else if (isUnique(kind)) {
        const record = JSON.parse(json.get(seq) as string) as Record<string, unknown>;
        const local = byNature(db, kind, userId, record);
        if (local === null || staging.has(kind, local)) continue;
        staging.alias(kind, thing, local);
        mark.run(seq);
      }
    }
  }
}

function isUnique(kind: RowKind): boolean {
  return kind === 'project' || kind === 'skill' || kind === 'plan';
}

/** The uid of a thing that can be there only once: a project's name, a skill's name, the reference of a plan. */
function byNature(db: Sqlite.Database, kind: RowKind, userId: number, record: Record<string, unknown>): string | null {
  const first = (sql: string, value: unknown): string | null =>
    (prepared<unknown[]>(db, sql).pluck().get(userId, value) as string | undefined) ?? null;
  if (kind === 'project') {
    const sql =
      "SELECT uid FROM projects WHERE user_id = ? AND name_key = ? ORDER BY status <> 'active', created_at, id LIMIT 1";
    return first(sql, foldName(String(record.name)));
  }
  if (kind === 'skill') return first('SELECT uid FROM skills WHERE user_id = ? AND name = ?', record.name);
  if (kind === 'plan' && record.external_ref !== null) {
    return first('SELECT uid FROM plans WHERE user_id = ? AND external_ref = ?', record.external_ref);
  }
  return null;
}

/** Kinds that only tie two things together. */
const ties: ReadonlySet<string> = new Set(['link', 'dependency', 'relationship']);

/** Drops records that refer to nothing, and those that refer to them. Only what begins such a row of drops is told, unless `tellAll`. */
export function checkReferences(
  staging: Staging,
  { db, userId }: StoreSide,
  problems: Problems,
  {
    bad,
    left,
    tellAll,
  }: { readonly bad: ReadonlySet<string>; readonly left: ReadonlySet<string>; readonly tellAll: boolean },
): void {
  const gone = new Set([...bad, ...left]);
  const open = staging.db.prepare<
    [],
    { seq: number; line: number | null; kind: string; thing: string; ref_kind: RowKind; ref_uid: string }
  >(
    `SELECT r.seq, r.line, r.kind, r.thing, f.kind AS ref_kind, f.uid AS ref_uid FROM refs f JOIN records r ON r.seq = f.seq
      WHERE NOT EXISTS (SELECT 1 FROM records t WHERE t.kind = f.kind AND t.thing = f.uid) ORDER BY r.seq`,
  );
  const isHere = (kind: RowKind, uid: string): boolean => ownerOf(db, kind, uid)?.userId === userId;
  for (;;) {
    const dropped = new Set<number>();
    for (const row of open.all()) {
      if (dropped.has(row.seq) || isHere(row.ref_kind, row.ref_uid)) continue;
      dropped.add(row.seq);
      const end = `${row.ref_kind} ${row.ref_uid}`;
      // of what is private its ties are too; a thing of its own is not lost with it unsaid
      if (left.has(end) && ties.has(row.kind)) continue;
      const isFollower = gone.has(end);
      if (isFollower && !tellAll && !left.has(end)) continue;
      const why = isFollower ? 'which was not taken' : 'which is neither in the file nor in the store';
      problems.add({
        line: row.line,
        kind: row.kind,
        uid: isRowKind(row.kind) ? row.thing : null,
        problem: `refers to the ${row.ref_kind.replace('_', ' ')} ${row.ref_uid}, ${why}`,
      });
    }
    if (dropped.size === 0) return;
    for (const seq of dropped) {
      const thing = staging.db
        .prepare<[number], { kind: string; thing: string }>('SELECT kind, thing FROM records WHERE seq = ?')
        .get(seq);
      if (thing !== undefined) gone.add(`${thing.kind} ${thing.thing}`);
      staging.drop(seq);
    }
  }
}

/** Drops dependencies of a task on itself, on one of another plan, and those that close a circle; each is told with its way round. */
export function checkDependencies(staging: Staging, { db }: StoreSide, problems: Problems): void {
  const edges = staging.db
    .prepare<[], { seq: number; line: number | null; json: string }>(
      "SELECT seq, line, json FROM records WHERE kind = 'dependency' ORDER BY seq",
    )
    .all();
  if (edges.length === 0) return;
  const staged = staging.db
    .prepare<[string], string>("SELECT json FROM records WHERE kind = 'task' AND thing = ?")
    .pluck();
  const stored = prepared<[string]>(
    db,
    'SELECT p.uid FROM plans p JOIN tasks t ON t.plan_id = p.id WHERE t.uid = ?',
  ).pluck();
  const planOf = (task: string): string | null => {
    const json = staged.get(task) as string | undefined;
    if (json !== undefined) return (JSON.parse(json) as { plan: string }).plan;
    return (stored.get(task) as string | undefined) ?? null;
  };
  const storedNext = prepared<[string]>(
    db,
    `SELECT b.uid FROM tasks a JOIN task_dependencies d ON d.task_id = a.id JOIN tasks b ON b.id = d.depends_on_id WHERE a.uid = ?`,
  ).pluck();
  const added = new Map<string, string[]>();
  const nextOf = (task: string): string[] => [...(added.get(task) ?? []), ...(storedNext.all(task) as string[])];
  for (const { seq, line, json } of edges) {
    const { task, depends_on: other } = JSON.parse(json) as { task: string; depends_on: string };
    const problem = dependencyProblem(task, other, planOf, nextOf);
    if (problem === null) added.set(task, [...(added.get(task) ?? []), other]);
    else {
      problems.add({ line, kind: 'dependency', uid: null, problem });
      staging.drop(seq);
    }
  }
}

function dependencyProblem(
  task: string,
  other: string,
  planOf: (task: string) => string | null,
  nextOf: (task: string) => readonly string[],
): string | null {
  if (task === other) return `the task ${task} waits for itself (path: ${task} -> ${task})`;
  if (planOf(task) !== planOf(other)) return `the tasks ${task} and ${other} are of two plans`;
  const back = wayTo(task, other, nextOf);
  return back === null ? null : `closes a circle: ${[task, ...back].join(' -> ')}`;
}

/** The tasks on the way from one to another, both included; null where there is none. */
function wayTo(goal: string, start: string, nextOf: (task: string) => readonly string[]): string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    if (task === goal) {
      const way: string[] = [];
      for (let step: string | null = task; step !== null; step = cameFrom.get(step) ?? null) way.unshift(step);
      return way;
    }
    for (const next of nextOf(task)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, task);
      queue.push(next);
    }
  }
  return null;
}

/** A reference as a key of a set. */
export function keyOf({ kind, uid }: Ref): string {
  return `${kind} ${uid}`;
}
