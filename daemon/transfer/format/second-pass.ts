import type { ExportRecord } from '#daemon/storage/records/fields.ts';

/** Whether the second pass has anything to add to a memory that the first has written. */
export function needsSecondPass(record: ExportRecord): boolean {
  const { superseded_by: by, kept_apart_at: apart, field_times: times, history, united } = record;
  const lists = [...(history as unknown[]), ...(united as unknown[])];
  return by !== null || apart !== null || times !== null || lists.length > 0;
}
