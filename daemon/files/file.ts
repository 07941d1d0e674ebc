// A file and its pure rules. Its bytes stand in a table of their own, so that no list reads them; no search looks into them.
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { readableOf } from '#daemon/secrets/redact-bytes.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { FilesTable } from '#daemon/storage/tables/things.ts';
import { listOf, type ThingKind } from '#daemon/things/index.ts';
import { keepBytes } from './file-contents.repository.ts';

export type StoredFile = Selectable<FilesTable>;

/** `null`: the bytes stay as they are. */
export type FileBytes = Buffer | null;

export const fileKind: ThingKind<StoredFile, FileBytes> = {
  table: 'files',
  kind: 'file',
  noun: 'File',
  secrets: ({ filename, description, tags, source_url, source_files }, bytes) => ({
    filename,
    description,
    tags: listOf(tags),
    source_url,
    source_files: listOf(source_files),
    data: bytes === null ? null : readableOf(bytes),
  }),
  logged: (file) => ({
    filename: file.filename,
    description: file.description,
    mime_type: file.mime_type,
    tags: listOf(file.tags),
    project_id: file.project_id,
    ...provenanceToWords(file),
    data: { size_bytes: file.size_bytes, sha256: file.sha256 },
  }),
  keepExtra: keepBytes,
};

export function measured(bytes: Buffer) {
  return { size_bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') };
}
