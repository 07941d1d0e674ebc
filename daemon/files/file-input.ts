// From the words of the catalogue to a file's columns and bytes.
import type { CallContext } from '#daemon/kernel/context.ts';
import { foldLabel } from '#daemon/storage/label-keys.ts';
import { newProvenance, patchedProvenance } from '#daemon/storage/provenance.ts';
import { type Columns, given, listOf, tagColumns } from '#daemon/things/index.ts';
import { type createFile, maxFileBytes, type updateFile } from '#shared/contract/knowledge/files.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import { type FileBytes, measured, type StoredFile } from './file.ts';

type Draft = { readonly columns: Columns<StoredFile>; readonly extra: FileBytes };

export function inputToFile(input: ParsedInputOf<typeof createFile>, { encoding }: CallContext): Draft {
  const bytes = decoded(input.data);
  const columns = {
    filename: input.filename.trim(),
    description: input.description,
    ...typed(input.mime_type),
    ...measured(bytes),
    ...tagColumns(input.tags ?? []),
    project_id: input.project_id ?? null,
    ...newProvenance(input, encoding),
  };
  return { columns, extra: bytes };
}

export function patchFile(present: StoredFile, input: ParsedInputOf<typeof updateFile>): Draft {
  const bytes = input.data === undefined ? null : decoded(input.data);
  const { size_bytes, sha256 } = present;
  const columns = {
    filename: given(input.filename?.trim(), present.filename),
    description: given(input.description, present.description),
    ...typed(given(input.mime_type, present.mime_type)),
    ...(bytes === null ? { size_bytes, sha256 } : measured(bytes)),
    ...tagColumns(given(input.tags, listOf(present.tags))),
    project_id: given(input.project_id, present.project_id),
    ...patchedProvenance(present, input),
  };
  return { columns, extra: bytes };
}

/** The contract has checked the letters; the last group may still hold two bytes too many. */
function decoded(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.byteLength <= maxFileBytes) return bytes;
  const problem = `must hold at most ${maxFileBytes} bytes (10 MB)`;
  throw new LociError('invalid_input', `\`data\` ${problem}.`, { data: problem });
}

function typed(type: string) {
  return { mime_type: type.trim(), type_key: foldLabel(type) };
}
