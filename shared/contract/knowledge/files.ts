// Files: bytes with a name, such as an image or an archive. In JSON the bytes are base64; `PUT|GET /api/v1/files/:id/content` carries them raw.
import { z } from 'zod';
import { id, labels, requiredText, utc } from '../common.ts';
import { additiveHints, defineContract, eraseHints, readOnlyHints, updateHints } from '../operation.ts';
import { deleted, idempotencyKey, page, pageOutput } from './listing.ts';
import { provenanceInput, provenanceOutput } from './provenance.ts';

/** 10 MB of bytes. */
export const maxFileBytes = 10 * 2 ** 20;

const data = z
  .string()
  .refine((value) => value.length <= 4 * Math.ceil(maxFileBytes / 3), {
    error: `must hold at most ${maxFileBytes} bytes (10 MB)`,
    abort: true,
  })
  .refine(isBase64, { error: 'must be base64: its letters, + and /, with = to fill the last four, no line breaks' })
  .meta({ contentEncoding: 'base64', maxLength: 4 * Math.ceil(maxFileBytes / 3) });

const fileId = id.optional().describe('the file; `id` is the same');

const summary = {
  id,
  file_id: id,
  filename: z.string(),
  description: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  tags: z.array(z.string()),
  project_id: id.nullable(),
  created_at: utc,
  updated_at: utc,
};

export const fileSummary = z.object(summary);
const storedFile = z.object({ ...summary, ...provenanceOutput });
const file = storedFile.extend({ data: z.string() });

export const createFile = defineContract({
  name: 'create_file',
  title: 'Store a file',
  description:
    'Store a file of up to 10 MB: base64 in data, or empty data and then the bytes by PUT /api/v1/files/{id}/content. Long texts belong into create_document, where they can be searched.',
  category: 'file',
  input: z.strictObject({
    filename: requiredText(255),
    description: requiredText(5_000),
    data: data.describe('base64'),
    mime_type: requiredText(255),
    tags: labels(10).optional(),
    project_id: id.nullable().optional(),
    ...provenanceInput,
    idempotency_key: idempotencyKey,
  }),
  output: storedFile,
  hints: additiveHints,
  scope: 'write:files',
  http: [{ method: 'POST', path: '/api/v1/files', created: () => true }],
  examples: [
    { filename: 'hello.txt', description: 'A greeting', data: 'aGVsbG8=', mime_type: 'text/plain', tags: ['sample'] },
  ],
});

export const getFile = defineContract({
  name: 'get_file',
  title: 'Get a file',
  description: 'Read a file by its id, with its bytes in base64.',
  category: 'file',
  input: z.strictObject({ file_id: fileId, id: id.optional() }),
  output: file,
  examples: [{ file_id: 1 }],
  hints: readOnlyHints,
  scope: 'read:files',
  http: [{ method: 'GET', path: '/api/v1/files/:id' }],
});

export const listFiles = defineContract({
  name: 'list_files',
  title: 'List files',
  description: 'List files without their bytes, newest first, filtered by project, MIME type, or any of some tags.',
  category: 'file',
  input: z.strictObject({
    project_id: id.optional(),
    mime_type: requiredText(255).optional(),
    tags: labels(20).optional().describe('any of these'),
    ...page,
  }),
  output: z.object({ files: z.array(fileSummary), ...pageOutput }),
  examples: [{ mime_type: 'text/plain' }],
  hints: readOnlyHints,
  scope: 'read:files',
  http: [{ method: 'GET', path: '/api/v1/files', csv: ['tags'] }],
});

export const updateFile = defineContract({
  name: 'update_file',
  title: 'Update a file',
  description: 'Change fields or bytes of a file; only what you pass changes, tags are replaced whole.',
  category: 'file',
  input: z.strictObject({
    file_id: fileId,
    id: id.optional(),
    filename: requiredText(255).optional(),
    description: requiredText(5_000).optional(),
    data: data.optional(),
    mime_type: requiredText(255).optional(),
    tags: labels(10).optional(),
    project_id: id.nullable().optional(),
    ...provenanceInput,
    idempotency_key: idempotencyKey,
  }),
  output: storedFile,
  examples: [{ file_id: 1, description: 'A greeting in English' }],
  hints: updateHints,
  scope: 'write:files',
  http: [
    { method: 'PATCH', path: '/api/v1/files/:id' },
    { method: 'PUT', path: '/api/v1/files/:id' },
  ],
});

export const deleteFile = defineContract({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Erase a file for good. Notes that were linked to it stay. Only when the user asks.',
  category: 'file',
  input: z.strictObject({ file_id: fileId, id: id.optional(), idempotency_key: idempotencyKey }),
  output: deleted.extend({ file_id: id }),
  examples: [{ file_id: 1 }],
  hints: eraseHints,
  scope: 'write:files',
  http: [{ method: 'DELETE', path: '/api/v1/files/:id' }],
});

export const fileContracts = [createFile, getFile, listFiles, updateFile, deleteFile] as const;

/** Whole groups of four, filled by `=`; junk inside, which lenient decoders drop without a word, is refused. One pass, no backtracking. */
function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
