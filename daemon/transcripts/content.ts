import { isRecord } from '#daemon/kernel/is-record.ts';

/** The texts of a content field: a string, or a list of parts of which those of the given types count; untyped parts count too. */
export function textsOf(content: unknown, types: readonly string[]): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => {
      if (typeof part === 'string') return [part];
      if (!isRecord(part) || typeof part.text !== 'string') return [];
      return part.type === undefined || types.includes(String(part.type)) ? [part.text] : [];
    })
    .join('\n');
}

/** Milliseconds of an ISO time or a number of milliseconds; null for anything else. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
