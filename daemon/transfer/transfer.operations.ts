import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { cancelImport, getImport, runImport, startImport } from '#shared/contract/transfer.ts';
import type { Imports } from './imports.ts';

export function transferOperations(imports: Imports): Operation[] {
  return [
    implement(startImport, (input, context) =>
      imports.begin(
        {
          from: input.from ?? null,
          project: input.project ?? null,
          dryRun: input.dry_run,
          skipInvalid: input.skip_invalid,
        },
        context,
      ),
    ),
    implement(runImport, (input, context) => imports.run(input.import_id, context)),
    implement(getImport, (input, context) => imports.status(input.import_id, context)),
    implement(cancelImport, (input, context) => imports.cancel(input.import_id, context)),
  ];
}
