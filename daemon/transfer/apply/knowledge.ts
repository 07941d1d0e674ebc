// Projects, entities and what they are to each other, plans and tasks.
import { entityById, fileEntity } from '#daemon/graph/index.ts';
import { foldName } from '#daemon/projects/index.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { idsOfUids } from '#daemon/storage/records/present-record.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { replaceLinks } from '#daemon/storage/thing-links.ts';
import { askedBy, type RowWriter, type Writing } from './deps.ts';
import { columnsOf, insertRow, updateRow } from './rows.ts';

const projectWriter: RowWriter = {
  kind: 'project',
  async insert(writing, record) {
    const id = await insertRow(writing, 'project', await columnsOf(askedBy(writing), 'project', record));
    await writeAliases(writing, id, record);
    return { id, vectors: [] };
  },
  async update(writing, record, { id }) {
    await updateRow(writing, 'project', id, await columnsOf(askedBy(writing), 'project', record));
    await writeAliases(writing, id, record);
    return { id, vectors: [] };
  },
};

/** A name that stands for another project here goes on standing for it. */
async function writeAliases({ trx, userId }: Writing, projectId: number, record: ExportRecord): Promise<void> {
  for (const alias of record.aliases as string[]) {
    await trx
      .insertInto('project_aliases')
      .values({ user_id: userId, alias_key: foldName(alias), alias, project_id: projectId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const entityWriter: RowWriter = {
  kind: 'entity',
  async insert(writing, record) {
    const id = await insertRow(writing, 'entity', await columnsOf(askedBy(writing), 'entity', record));
    return { id, vectors: [await placeEntity(writing, id, record)] };
  },
  async update(writing, record, { id }) {
    const present = await entityById(writing.trx, writing.userId, id);
    const columns = { ...(await columnsOf(askedBy(writing), 'entity', record)), rev: (present?.rev ?? 0) + 1 };
    await updateRow(writing, 'entity', id, columns);
    return { id, vectors: [await placeEntity(writing, id, record)] };
  },
};

async function placeEntity(writing: Writing, id: number, record: ExportRecord): Promise<VectorChange> {
  const { trx, userId, deps, nowMs } = writing;
  const uids = record.projects as string[];
  const projectIds = (await idsOfUids(askedBy(writing), 'project', uids)).sort((a, b) => a - b);
  await replaceLinks(trx, userId, { kind: 'entity', id }, 'project', projectIds, nowMs);
  const row = await entityById(trx, userId, id);
  if (row === null) throw new Error(`the entity ${id} was just written and is not there`);
  const text = { modelId: deps.embedder.modelId, passages: 1, vector: null, state: 'pending' } as const;
  return fileEntity(trx, row, projectIds, text, nowMs);
}

const relationshipWriter: RowWriter = {
  kind: 'relationship',
  /** There is one of a pair and type at most. */
  async findTwin(writing, record) {
    const { source_id, target_id, relationship_type } = await columnsOf(askedBy(writing), 'relationship', record);
    const twin = await writing.trx
      .selectFrom('entity_relationships')
      .select('uid')
      .where('source_id', '=', source_id as number)
      .where('target_id', '=', target_id as number)
      .where('relationship_type', '=', String(relationship_type))
      .executeTakeFirst();
    return twin?.uid ?? null;
  },
  insert: async (writing, record) => ({
    id: await insertRow(writing, 'relationship', await columnsOf(askedBy(writing), 'relationship', record)),
    vectors: [],
  }),
  async update(writing, record, { id }) {
    await updateRow(writing, 'relationship', id, await columnsOf(askedBy(writing), 'relationship', record));
    return { id, vectors: [] };
  },
};

const planWriter: RowWriter = {
  kind: 'plan',
  insert: async (writing, record) => ({
    id: await insertRow(writing, 'plan', await columnsOf(askedBy(writing), 'plan', record)),
    vectors: [],
  }),
  async update(writing, record, { id }) {
    await updateRow(writing, 'plan', id, await columnsOf(askedBy(writing), 'plan', record));
    return { id, vectors: [] };
  },
};

const taskWriter: RowWriter = {
  kind: 'task',
  async insert(writing, record) {
    const id = await insertRow(writing, 'task', await columnsOf(askedBy(writing), 'task', record));
    await writeCriteria(writing, id, record);
    return { id, vectors: [] };
  },
  async update(writing, record, { id, changed }) {
    await updateRow(writing, 'task', id, await columnsOf(askedBy(writing), 'task', record));
    if (changed.includes('criteria')) {
      await writing.trx.deleteFrom('criteria').where('task_id', '=', id).execute();
      await writeCriteria(writing, id, record);
    }
    return { id, vectors: [] };
  },
};

type Criterion = { description: string; met: boolean; met_at: string | null; created_at: string; updated_at: string };

async function writeCriteria({ trx }: Writing, taskId: number, record: ExportRecord): Promise<void> {
  for (const { description, met, met_at, created_at, updated_at } of record.criteria as Criterion[]) {
    await trx
      .insertInto('criteria')
      .values({
        task_id: taskId,
        description,
        met: met ? 1 : 0,
        met_at: met_at === null ? null : Date.parse(met_at),
        created_at: Date.parse(created_at),
        updated_at: Date.parse(updated_at),
      })
      .execute();
  }
}

export const knowledgeWriters: readonly RowWriter[] = [
  projectWriter,
  entityWriter,
  relationshipWriter,
  planWriter,
  taskWriter,
];
