// A record as a row of its table: the columns that are copied, the references as ids, and what follows from them.
import { createHash } from 'node:crypto';
import { foldEntityName } from '#daemon/graph/index.ts';
import { contentHash, type MemoryDraft } from '#daemon/memories/index.ts';
import { foldName, repositoryKey } from '#daemon/projects/index.ts';
import { foldLabel, labelKeys } from '#daemon/storage/label-keys.ts';
import { type ExportRecord, recordToRow } from '#daemon/storage/records/fields.ts';
import { kindRows, type RowKind } from '#daemon/storage/records/kinds.ts';
import { type Asked, idOfUid } from '#daemon/storage/records/present-record.ts';
import type { Writing } from './deps.ts';

type Columns = Record<string, unknown>;

/** All columns of a record's row but the id and the user. */
export async function columnsOf(asked: Asked, kind: RowKind, record: ExportRecord): Promise<Columns> {
  const { fields, refs } = kindRows[kind];
  const columns: Columns = { uid: record.uid, ...recordToRow(fields, record), ...derived[kind]?.(record) };
  for (const { word, column, kind: of } of refs) {
    const uid = record[word];
    columns[column] = typeof uid === 'string' ? await idOfUid(asked, of, uid) : null;
  }
  return columns;
}

export async function insertRow({ trx, userId }: Writing, kind: RowKind, columns: Columns): Promise<number> {
  const { id } = await trx
    .insertInto(kindRows[kind].table as 'documents')
    .values({ ...columns, user_id: userId } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRow({ trx }: Writing, kind: RowKind, id: number, columns: Columns): Promise<void> {
  await trx
    .updateTable(kindRows[kind].table as 'documents')
    .set(columns as never)
    .where('id', '=', id)
    .execute();
}

const tagged = (record: ExportRecord): Columns => ({ tag_keys: labelKeys(record.tags as string[]) });

/** Columns that follow from others. */
const derived: Partial<Record<RowKind, (record: ExportRecord) => Columns>> = {
  project: ({ name, repo_name: repo }) => ({
    name_key: foldName(String(name)),
    repo_key: typeof repo === 'string' ? repositoryKey(repo) : null,
  }),
  memory: (record) => ({ content_hash: contentHash(record as unknown as MemoryDraft) }),
  document: (record) => ({
    ...tagged(record),
    type_key: foldLabel(String(record.document_type)),
    size_bytes: Buffer.byteLength(String(record.content)),
  }),
  code_artifact: (record) => ({ ...tagged(record), language: foldLabel(String(record.language)) }),
  file: (record) => {
    const bytes = Buffer.from(String(record.data), 'base64');
    return {
      ...tagged(record),
      type_key: foldLabel(String(record.mime_type)),
      size_bytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
  },
  skill: tagged,
  entity: (record) => {
    const names = [record.name, ...(record.aka as string[])].map((name) => foldEntityName(String(name)));
    return { ...tagged(record), name_key: names[0], search_keys: names.join('\n') };
  },
};
