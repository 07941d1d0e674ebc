// Memories are written in two passes: the rows first, then what points from one memory to another (what replaced it, its versions), because
// either may stand first in the file.
import { fileMemory, memoryById, type PreparedText, refileMemory } from '#daemon/memories/index.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { type Version, wordsToSnapshot } from '#daemon/storage/records/memory-snapshots.ts';
import { idOfUid, idsOfUids } from '#daemon/storage/records/present-record.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { askedBy, type RowWriter, type Writing, type Written } from './deps.ts';
import { columnsOf, insertRow, updateRow } from './rows.ts';

/** Words of the index and of the vector, and what ranking reads of a text. */
const indexed: ReadonlySet<string> = new Set([
  'title',
  'content',
  'context',
  'problem',
  'solution',
  'concepts',
  'tags',
  'files',
  'category',
  'key',
  'author',
  'session',
  'sequence',
  'occurred_at',
  'valid_from',
  'valid_to',
]);
const filteredBy: ReadonlySet<string> = new Set(['status', 'type', 'projects']);

export const memoryWriter: RowWriter = {
  kind: 'memory',

  /** Without what points at other memories: the second pass adds it. */
  async insert(writing, record) {
    const rival = await settleFact(writing, record, null);
    const columns = {
      ...(await columnsOf(askedBy(writing), 'memory', record)),
      ...rival.columns,
      superseded_by: rival.winnerId,
    };
    const projectIds = await projectIdsOf(writing, record);
    const id = await insertRow(writing, 'memory', { ...columns, primary_project_id: projectIds[0] ?? null });
    await writeProjects(writing, id, projectIds);
    const vectors = [...(await rival.settle(id)), await file(writing, id)];
    return { id, vectors };
  },

  async update(writing, record, { id, changed }) {
    const rival = await settleFact(writing, record, id);
    const projectIds = await projectIdsOf(writing, record);
    const isReworded = changed.some((word) => indexed.has(word));
    const isRefiled = changed.some((word) => filteredBy.has(word)) || rival.columns !== null;
    const present = await memoryById(writing.trx, writing.userId, id);
    const rev = (present?.rev ?? 0) + (isReworded || isRefiled ? 1 : 0);
    const winner = rival.winnerId === null ? {} : { superseded_by: rival.winnerId };
    const columns = { ...(await columnsOf(askedBy(writing), 'memory', record)), ...rival.columns, ...winner, rev };
    await updateRow(writing, 'memory', id, { ...columns, primary_project_id: projectIds[0] ?? null });
    if (changed.includes('projects')) {
      await writing.trx.deleteFrom('memory_projects').where('memory_id', '=', id).execute();
      await writeProjects(writing, id, projectIds);
    }
    if (changed.includes('history')) await writeHistory(writing, id, record.history as readonly Version[]);
    await writeBesides(writing, id, record);
    const own = isReworded ? [await file(writing, id)] : isRefiled ? [await refile(writing, id)] : [];
    return { id, vectors: [...(await rival.settle(id)), ...own] } satisfies Written;
  },
};

async function projectIdsOf(writing: Writing, record: ExportRecord): Promise<number[]> {
  return [...new Set(await idsOfUids(askedBy(writing), 'project', record.projects as string[]))];
}

async function writeProjects({ trx }: Writing, memoryId: number, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return;
  await trx
    .insertInto('memory_projects')
    .values(projectIds.map((project_id, position) => ({ memory_id: memoryId, project_id, position })))
    .execute();
}

async function writeHistory(writing: Writing, memoryId: number, history: readonly Version[]): Promise<void> {
  const { trx, userId } = writing;
  await trx.deleteFrom('memory_history').where('memory_id', '=', memoryId).execute();
  for (const [index, { action, agent, from, to, snapshot }] of history.entries()) {
    await trx
      .insertInto('memory_history')
      .values({
        memory_id: memoryId,
        version: index + 1,
        user_id: userId,
        action,
        agent,
        recorded_from: Date.parse(from),
        recorded_to: Date.parse(to),
        snapshot: await wordsToSnapshot(snapshot, (kind, uid) => idOfUid(askedBy(writing), kind, uid)),
      })
      .execute();
  }
}

async function writeBesides(writing: Writing, id: number, record: ExportRecord): Promise<void> {
  const { trx } = writing;
  for (const { uid, by } of record.united as { uid: string; by: 'merge' | 'summary' }[]) {
    const member_id = await idOfUid(askedBy(writing), 'memory', uid);
    if (member_id === null) continue;
    await trx
      .insertInto('united_memories')
      .values({ heir_id: id, member_id, united_by: by })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const { kept_apart_at: apart, field_times: fields } = record;
  if (typeof apart === 'string') {
    const undone_at = Date.parse(apart);
    await trx
      .insertInto('kept_apart')
      .values({ memory_id: id, undone_at })
      .onConflict((conflict) => conflict.column('memory_id').doUpdateSet({ undone_at }))
      .execute();
  }
  if (fields === null) return;
  const times = JSON.stringify(fields);
  await trx
    .insertInto('memory_merges')
    .values({ memory_id: id, times })
    .onConflict((conflict) => conflict.column('memory_id').doUpdateSet({ times }))
    .execute();
}

/** Of two live facts under one key, which two machines saved apart, the one written last stays live and the other points to it. */
async function settleFact({ trx, userId, deps, nowMs }: Writing, record: ExportRecord, ownId: number | null) {
  const none = { columns: null, winnerId: null, settle: async (): Promise<VectorChange[]> => [] };
  if (record.category === null || record.status !== 'active') return none;
  const rival = await trx
    .selectFrom('memories')
    .select(['id', 'uid', 'updated_at'])
    .where('user_id', '=', userId)
    .where('category', '=', String(record.category))
    .where('key', '=', String(record.key))
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (rival === undefined || rival.id === ownId) return none;
  const updatedAt = Date.parse(String(record.updated_at));
  const isOlder = updatedAt < rival.updated_at || (updatedAt === rival.updated_at && String(record.uid) < rival.uid);
  if (isOlder) return { ...none, columns: { status: 'archived' }, winnerId: rival.id };
  await trx.updateTable('memories').set({ status: 'archived' }).where('id', '=', rival.id).execute();
  return {
    ...none,
    async settle(id: number): Promise<VectorChange[]> {
      const memory = await memoryById(trx, userId, rival.id);
      if (memory === null) return [];
      const rev = memory.rev + 1;
      await trx.updateTable('memories').set({ superseded_by: id, rev }).where('id', '=', rival.id).execute();
      return [await refileMemory(trx, { ...memory, rev }, deps.embedder.modelId, nowMs)];
    },
  };
}

async function file(writing: Writing, id: number): Promise<VectorChange> {
  const { trx, userId, deps, nowMs } = writing;
  const memory = await memoryById(trx, userId, id);
  if (memory === null) throw new Error(`the memory ${id} was just written and is not there`);
  return fileMemory(trx, memory, notEmbedded(deps.embedder.modelId), nowMs);
}

async function refile({ trx, userId, deps, nowMs }: Writing, id: number): Promise<VectorChange> {
  const memory = await memoryById(trx, userId, id);
  if (memory === null) throw new Error(`the memory ${id} was just written and is not there`);
  return refileMemory(trx, memory, deps.embedder.modelId, nowMs);
}

/** Found by keyword at once; the background embeds it. */
export function notEmbedded(modelId: string): PreparedText {
  return { modelId, passages: [''], vector: null, state: 'pending' };
}
