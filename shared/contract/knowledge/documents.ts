// Documents: the long texts that notes are drawn from.
import { z } from 'zod';
import { id, labels, requiredText, text, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

/** 5 MB of UTF-8. */
export const maxDocumentBytes = 5 * 2 ** 20;

const content = requiredText(maxDocumentBytes).refine(
  // three bytes a UTF-16 unit at most: short texts need no counting
  (value) => value.length * 3 <= maxDocumentBytes || new TextEncoder().encode(value).length <= maxDocumentBytes,
  { error: `must have at most ${maxDocumentBytes} bytes (5 MB) of UTF-8: split it, or store a file` },
);

const documentId = id.optional().describe('the document; `id` is the same');

const summary = {
  id,
  document_id: id,
  title: z.string(),
  description: z.string(),
  document_type: z.string(),
  filename: z.string().nullable(),
  size_bytes: z.int(),
  tags: z.array(z.string()),
  project_id: id.nullable(),
  created_at: utc,
  updated_at: utc,
};

export const documentSummary = z.object(summary);
export const document = z.object({ ...summary, content: z.string(), ...provenanceOutput });

export const createDocument = defineContract({
  name: 'create_document',
  title: 'Store a document',
  description:
    'Store a long text whole: a decision record, research, a manual. Then draw atomic notes from it by create_memory with document_ids. Markdown headings tell where in it a search hit stands. Short insights belong into create_memory.',
  category: 'document',
  input: z.strictObject({
    title: requiredText(500),
    content: content.describe('the whole text, up to 5 MB'),
    description: text(5_000).nullable().optional().describe('what it is about, in a sentence or two'),
    document_type: requiredText(100).default('text').describe('text, markdown, code, or a word of your own'),
    filename: text(500).nullable().optional(),
    tags: labels(10).optional(),
    project_id: id.nullable().optional(),
    ...provenanceInput,
    idempotency_key: idempotencyKey,
  }),
  output: document,
  examples: [
    {
      title: 'Decision 7: events',
      description: 'Why the shop is driven by events',
      content: '# Decision\n\nOrders are events.',
      document_type: 'markdown',
      tags: ['adr'],
      project_id: 1,
    },
  ],
  hints: additiveHints,
  scope: 'write:documents',
  http: [{ method: 'POST', path: '/api/v1/documents', created: () => true }],
});

export const getDocument = defineContract({
  name: 'get_document',
  title: 'Get a document',
  description: 'Read a document whole by its id, with its content.',
  category: 'document',
  input: z.strictObject({ document_id: documentId, id: id.optional() }),
  output: document,
  examples: [{ document_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:documents',
  http: [{ method: 'GET', path: '/api/v1/documents/:id' }],
});

export const listDocuments = defineContract({
  name: 'list_documents',
  title: 'List documents',
  description: 'List documents without their content, newest first, filtered by project, type, or any of some tags.',
  category: 'document',
  input: z.strictObject({
    project_id: id.optional(),
    document_type: requiredText(100).optional(),
    tags: labels(20).optional().describe('any of these'),
    ...page,
  }),
  output: z.object({ documents: z.array(documentSummary), ...pageOutput }),
  examples: [{ document_type: 'markdown', tags: ['adr'] }],
  hints: readOnlyHints,
  scope: 'read:documents',
  http: [{ method: 'GET', path: '/api/v1/documents', csv: ['tags'] }],
});

export const updateDocument = defineContract({
  name: 'update_document',
  title: 'Update a document',
  description: 'Change fields of a document; only what you pass changes, tags are replaced whole, null clears.',
  category: 'document',
  input: z.strictObject({
    document_id: documentId,
    id: id.optional(),
    title: requiredText(500).optional(),
    content: content.optional(),
    description: text(5_000).nullable().optional(),
    document_type: requiredText(100).optional(),
    filename: text(500).nullable().optional(),
    tags: labels(10).optional(),
    project_id: id.nullable().optional(),
    ...provenanceInput,
    idempotency_key: idempotencyKey,
  }),
  output: document,
  examples: [{ document_id: 1, tags: ['adr', 'accepted'] }],
  hints: updateHints,
  scope: 'write:documents',
  http: [
    { method: 'PATCH', path: '/api/v1/documents/:id' },
    { method: 'PUT', path: '/api/v1/documents/:id' },
  ],
});

export const deleteDocument = defineContract({
  name: 'delete_document',
  title: 'Delete a document',
  description: 'Erase a document for good. Notes that were linked to it stay. Only when the user asks.',
  category: 'document',
  input: z.strictObject({ document_id: documentId, id: id.optional(), idempotency_key: idempotencyKey }),
  output: deleted.extend({ document_id: id }),
  examples: [{ document_id: 1 }],
  hints: eraseHints,
  scope: 'write:documents',
  http: [{ method: 'DELETE', path: '/api/v1/documents/:id' }],
});

export const documentContracts = [createDocument, getDocument, listDocuments, updateDocument, deleteDocument] as const;
