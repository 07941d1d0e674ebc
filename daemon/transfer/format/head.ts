// The first line of an export. `format` grows only when an older Loci could no longer read a file rightly: it then refuses the file by this
// line, instead of storing half of what it means.
import { z } from 'zod';
import { recordKinds } from '#daemon/storage/records/kinds.ts';

export const exportFormat = 1;
export const headKind = 'loci_export';

export const exportHead = z.object({
  kind: z.literal(headKind),
  format: z.int().min(1),
  loci_version: z.string(),
  exported_at: z.string(),
  counts: z.partialRecord(z.enum(recordKinds), z.int().min(0)),
});

export type Head = z.output<typeof exportHead>;
