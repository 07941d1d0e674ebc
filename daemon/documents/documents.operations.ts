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
import {
  createDocument,
  deleteDocument,
  getDocument,
  listDocuments,
  updateDocument,
} from '#shared/contract/knowledge/documents.ts';
import { type Document, documentKind } from './document.ts';
import { inputToDocument, patchDocument } from './document-input.ts';

const kind = documentKind;

const summaryColumns = [
  'id',
  'title',
  'description',
  'document_type',
  'filename',
  'size_bytes',
  'tags',
  'project_id',
  'created_at',
  'updated_at',
] as const;

type Summary = Pick<Document, (typeof summaryColumns)[number]>;

export function documentOperations(deps: ThingDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(createDocument, (input, context) => {
      const columns = inputToDocument(input, context);
      return createThing(deps, kind, { columns, extra: undefined }, context, toWords);
    }),
    implement(getDocument, async (input, context) =>
      toWords(await requireThing<Document>(db, kind, context.userId, idOf(input))),
    ),
    implement(listDocuments, async ({ project_id, document_type, tags, limit, offset }, context) => {
      const { rows, total } = await listThings<Document, keyof Summary>(deps.database, kind, summaryColumns, {
        userId: context.userId,
        projectId: project_id,
        tags: tags ?? [],
        equals: document_type === undefined ? undefined : { column: 'type_key', value: foldLabel(document_type) },
        limit,
        offset,
      });
      return { documents: rows.map(toSummary), ...pageOf({ limit, offset }, rows.length, total) };
    }),
    implement(updateDocument, (input, context) => {
      const apply = (present: Document) => ({ columns: patchDocument(present, input), extra: undefined });
      return changeThing(deps, kind, { id: idOf(input), apply }, context, toWords);
    }),
    implement(deleteDocument, (input, context) =>
      deleteThing(deps, kind, idOf(input), context, (id) => ({ success: true, deleted_id: id, document_id: id })),
    ),
  ];
}

function idOf({ document_id, id }: { document_id?: number | undefined; id?: number | undefined }): number {
  return oneOf({ document_id, id });
}

function toSummary(row: Summary) {
  const { id, title, description, document_type, filename, size_bytes, project_id } = row;
  return {
    id,
    document_id: id,
    title,
    description,
    document_type,
    filename,
    size_bytes,
    tags: listOf(row.tags),
    project_id,
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

function toWords(row: Document) {
  return { ...toSummary(row), content: row.content, ...provenanceToWords(row) };
}
