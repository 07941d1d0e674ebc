// Exporting from and importing into a test store, without HTTP in between.
import type { CallContext } from '#daemon/kernel/context.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { ImportStatus } from '#shared/contract/transfer.ts';
import type { TestStore } from './test-store.ts';

export type ImportOptions = {
  readonly from?: string;
  readonly dry_run?: boolean;
  readonly skip_invalid?: boolean;
  readonly project?: string;
};

const ended: readonly string[] = ['done', 'refused', 'failed', 'interrupted'];

/** The lines of an export, the head first. */
export async function exportLines(
  { store }: TestStore,
  request: { project?: string; all?: boolean } = {},
  context: Partial<CallContext> = {},
): Promise<string[]> {
  const { project = null, all = true } = request;
  const lines = await store.openExport({ project, includeObsolete: all }, { ...internalContext, ...context });
  const parts: Uint8Array[] = [];
  for await (const part of lines) parts.push(part);
  return Buffer.concat(parts).toString('utf8').trimEnd().split('\n');
}

/** Begins an import of some bytes and answers its id; nothing runs yet. */
export async function uploadTo(
  { call, store }: TestStore,
  bytes: string | Uint8Array,
  options: ImportOptions = {},
  context: Partial<CallContext> = {},
): Promise<string> {
  const { import_id: importId } = await call<ImportStatus>('start_import', options, context);
  const part = { importId, file: 'content', offset: 0, bytes: Buffer.from(bytes as string) } as const;
  await store.receiveImport(part, { ...internalContext, ...context });
  return importId;
}

/** Imports some bytes and answers how it ended. */
export async function importInto(
  test: TestStore,
  bytes: string | Uint8Array,
  options: ImportOptions = {},
  context: Partial<CallContext> = {},
): Promise<ImportStatus> {
  const import_id = await uploadTo(test, bytes, options, context);
  await test.call('run_import', { import_id }, context);
  return importEnd(test, import_id, context);
}

/** Waits until an import has ended, whichever way. */
export async function importEnd(
  { call }: TestStore,
  import_id: string,
  context: Partial<CallContext> = {},
): Promise<ImportStatus> {
  for (;;) {
    const status = await call<ImportStatus>('get_import', { import_id }, context);
    if (ended.includes(status.state)) return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
