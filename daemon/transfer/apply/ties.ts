// Dependencies of tasks and links: there or not, so an import only ever adds them.
import { insertDependency } from '#daemon/plans/index.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import type { RowKind } from '#daemon/storage/records/kinds.ts';
import { idOfUid } from '#daemon/storage/records/present-record.ts';
import { type LinkedKind, linkThings } from '#daemon/storage/thing-links.ts';
import type { Ref } from '../format/refs.ts';
import type { Outcome } from '../tally.ts';
import { askedBy, type Writing } from './deps.ts';

/** Ties what a record names. `skipped` where one end has gone meanwhile, or the tasks would wait for each other. */
export async function applyTie(writing: Writing, record: ExportRecord): Promise<Outcome> {
  const atMs = Date.parse(String(record.created_at));
  if (record.kind === 'dependency') return applyDependency(writing, record, atMs);
  const [from, to] = [record.from as Ref, record.to as Ref];
  const a = await idOf(writing, from.kind, from.uid);
  const b = await idOf(writing, to.kind, to.uid);
  if (a === null || b === null || (a === b && from.kind === to.kind)) return { what: 'skipped' };
  if (from.kind === 'memory' && to.kind === 'memory') return linkMemories(writing, a, b, record, atMs);
  const ends = [
    { kind: from.kind as LinkedKind, id: a },
    { kind: to.kind as LinkedKind, id: b },
  ] as const;
  const isNew = await linkThings(writing.trx, writing.userId, ends[0], ends[1], atMs);
  return { what: isNew ? 'added' : 'unchanged' };
}

async function applyDependency(writing: Writing, record: ExportRecord, atMs: number): Promise<Outcome> {
  const taskId = await idOf(writing, 'task', String(record.task));
  const dependsOnId = await idOf(writing, 'task', String(record.depends_on));
  if (taskId === null || dependsOnId === null) return { what: 'skipped' };
  const known = await writing.trx
    .selectFrom('task_dependencies')
    .select('id')
    .where('task_id', '=', taskId)
    .where('depends_on_id', '=', dependsOnId)
    .executeTakeFirst();
  if (known !== undefined) return { what: 'unchanged' };
  const added = await insertDependency(writing.trx, { taskId, dependsOnId }, atMs);
  return { what: added === null ? 'skipped' : 'added' };
}

async function linkMemories(
  { trx, userId }: Writing,
  a: number,
  b: number,
  record: ExportRecord,
  atMs: number,
): Promise<Outcome> {
  const result = await trx
    .insertInto('memory_links')
    .values({
      user_id: userId,
      source_id: Math.min(a, b),
      target_id: Math.max(a, b),
      origin: record.origin === 'automatic' ? 'automatic' : 'manual',
      created_at: atMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return { what: (result.numInsertedOrUpdatedRows ?? 0n) > 0n ? 'added' : 'unchanged' };
}

function idOf(writing: Writing, kind: RowKind, uid: string): Promise<number | null> {
  return idOfUid(askedBy(writing), kind, uid);
}
