// The door of the transfer room: moving everything out, and in from here or elsewhere.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { OpenExport, ReceiveImport } from '#daemon/kernel/transfer-streams.ts';
import type { ImportsDeps } from './carry-out.ts';
import { type ExportDeps, openExport } from './export.ts';
import { createImports } from './imports.ts';
import { transferOperations } from './transfer.operations.ts';
import { createUploadFolder } from './upload-folder.ts';

export type TransferDeps = ExportDeps &
  Omit<ImportsDeps, 'uploads'> & {
    /** Where uploads wait. */
    readonly folder: string;
  };

export type Transfer = {
  readonly operations: readonly Operation[];
  readonly openExport: OpenExport;
  readonly receiveImport: ReceiveImport;
  /** Goes on with an import that the last daemon was applying. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function createTransfer(deps: TransferDeps): Transfer {
  const imports = createImports({ ...deps, uploads: createUploadFolder(deps.folder) });
  return {
    operations: transferOperations(imports),
    openExport: (request, context) => openExport(deps, request, context),
    receiveImport: imports.receive,
    start: () =>
      imports.resume().catch((error: unknown) => deps.logger.warn({ err: error }, 'imports could not be resumed')),
    stop: imports.stop,
  };
}
