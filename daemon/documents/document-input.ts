// From the words of the catalogue to the columns of a document.
import type { CallContext } from '#daemon/kernel/context.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { newProvenance, patchedProvenance } from '#daemon/storage/provenance.ts';
import { type Columns, emptyToNull, given, listOf, tagColumns } from '#daemon/things/index.ts';
import type { createDocument, updateDocument } from '#shared/contract/knowledge/documents.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { Document } from './document.ts';

export function inputToDocument(
  input: ParsedInputOf<typeof createDocument>,
  { encoding }: CallContext,
): Columns<Document> {
  const { title, content, description, document_type, filename, tags, project_id } = input;
  return {
    title: title.trim(),
    description: description ?? '',
    ...typed(document_type),
    filename: emptyToNull(filename) ?? null,
    ...sized(content),
    ...tagColumns(tags ?? []),
    project_id: project_id ?? null,
    ...newProvenance(input, encoding),
  };
}

export function patchDocument(present: Document, input: ParsedInputOf<typeof updateDocument>): Columns<Document> {
  return {
    title: given(input.title?.trim(), present.title),
    description: input.description === null ? '' : given(input.description, present.description),
    ...typed(given(input.document_type, present.document_type)),
    filename: given(emptyToNull(input.filename), present.filename),
    ...sized(given(input.content, present.content)),
    ...tagColumns(given(input.tags, listOf(present.tags))),
    project_id: given(input.project_id, present.project_id),
    ...patchedProvenance(present, input),
  };
}

function typed(type: string) {
  return { document_type: type.trim(), type_key: foldLabel(type) };
}

function sized(content: string) {
  return { content, size_bytes: Buffer.byteLength(content) };
}
