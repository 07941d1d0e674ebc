// Words of the catalogue ↔ use-cases. No rule lives here.
import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import {
  changeThing,
  createThing,
  deleteThing,
  listOf,
  listThings,
  oneOf,
  pageOf,
  requireThing,
  type ThingDeps,
} from '#daemon/things/index.ts';
import { createFile, deleteFile, getFile, listFiles, updateFile } from '#shared/contract/knowledge/files.ts';
import { fileKind, type StoredFile } from './file.ts';
import { bytesOf } from './file-contents.repository.ts';
import { inputToFile, patchFile } from './file-input.ts';

const kind = fileKind;

const summaryColumns = [
  'id',
  'filename',
  'description',
  'mime_type',
  'size_bytes',
  'tags',
  'project_id',
  'created_at',
  'updated_at',
] as const;

type Summary = Pick<StoredFile, (typeof summaryColumns)[number]>;

export function fileOperations(deps: ThingDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(createFile, async (input, context) =>
      createThing(deps, kind, inputToFile(input, context), context, toWords),
    ),
    implement(getFile, async (input, context) => {
      const file = await requireThing<StoredFile>(db, kind, context.userId, idOf(input));
      return { ...toWords(file), data: (await bytesOf(db, file.id)).toString('base64') };
    }),
    implement(listFiles, async ({ project_id, mime_type, tags, limit, offset }, context) => {
      const { rows, total } = await listThings<StoredFile, keyof Summary>(deps.database, kind, summaryColumns, {
        userId: context.userId,
        projectId: project_id,
        tags: tags ?? [],
        equals: mime_type === undefined ? undefined : { column: 'type_key', value: foldLabel(mime_type) },
        limit,
        offset,
      });
      return { files: rows.map(toSummary), ...pageOf({ limit, offset }, rows.length, total) };
    }),
    implement(updateFile, async (input, context) => {
      const apply = (present: StoredFile) => patchFile(present, input);
      return changeThing(deps, kind, { id: idOf(input), apply }, context, toWords);
    }),
    implement(deleteFile, async (input, context) =>
      deleteThing(deps, kind, idOf(input), context, (id) => ({ success: true, deleted_id: id, file_id: id })),
    ),
  ];
}

function idOf({ file_id, id }: { file_id?: number | undefined; id?: number | undefined }): number {
  return oneOf({ file_id, id });
}

function toSummary(row: Summary) {
  const { id, filename, description, mime_type, size_bytes, project_id } = row;
  return {
    id,
    file_id: id,
    filename,
    description,
    mime_type,
    size_bytes,
    tags: listOf(row.tags),
    project_id,
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

function toWords(row: StoredFile) {
  return { ...toSummary(row), ...provenanceToWords(row) };
}
