// Field kinds that every room shares. Lengths count Unicode code points (JSON Schema's own unit), never UTF-16 units.
import { z } from 'zod';

/** Number of Unicode code points in a well-formed string. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** True for a text with nothing to see in it: white space, zero-width and other invisible characters only. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text);
}

/** Text of at most `max` code points that may be empty. */
export function text(max: number) {
  return z
    .string()
    .refine((value) => value.length <= max || codePoints(value) <= max, {
      error: `must have at most ${max} characters`,
    })
    .meta({ maxLength: max });
}

/** Text of 1 to `max` code points with something to see in it. */
export function requiredText(max: number) {
  return z
    .string()
    .refine((value) => !isBlank(value), { error: 'must not be blank' })
    .refine((value) => value.length <= max || codePoints(value) <= max, {
      error: `must have at most ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max });
}

/** A list of short texts; the reader has already dropped blanks and duplicates (rule 3 of the contract). */
export function labels(maxItems: number, maxLength = 200) {
  return z.array(text(maxLength)).max(maxItems);
}

/** A row's integer id: 1 to 2^53−1. */
export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** An instant on the way in: ISO 8601; without an offset it is read in the daemon's zone by the use-case. */
export const instant = z
  .string()
  .refine((value) => parseInstant(value) !== null, {
    error: 'must be an ISO 8601 date or time, such as 2026-11-30T09:00:00Z',
  })
  .meta({ format: 'date-time' });

/** An instant on the way out: UTC with milliseconds. */
export const utc = z.string().meta({ format: 'date-time' });

export const project = requiredText(500);

/** A number from 0 to 1. */
export const share = z.number().min(0).max(1);

/** 16 KB of JSON, 8 levels of nesting: what a caller may hang on a record for its own use. */
export const maxMetadataBytes = 16 * 1024;
const maxMetadataLevels = 8;

/** A caller's own fields: any JSON object within bounds, none of whose names reaches an object's prototype. */
export const metadata = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const fault = metadataFault(value, []);
  if (fault !== null) {
    context.addIssue({ code: 'custom', path: fault.path, message: fault.problem });
  } else if (new TextEncoder().encode(JSON.stringify(value)).length > maxMetadataBytes) {
    context.addIssue({ code: 'custom', message: `must have at most ${maxMetadataBytes} bytes as JSON` });
  }
});

function metadataFault(
  value: unknown,
  path: (string | number)[],
): { path: (string | number)[]; problem: string } | null {
  if (typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    return { path, problem: 'must be a number within ±(2^53−1); send a larger one as text' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= maxMetadataLevels) {
    return { path: path.slice(0, 1), problem: `must not nest deeper than ${maxMetadataLevels} levels` };
  }
  for (const [key, member] of Object.entries(value)) {
    if (unsafeNames.has(key)) return { path: [...path, key], problem: 'is a name that no field may have' };
    const fault = metadataFault(member, [...path, key]);
    if (fault !== null) return fault;
  }
  return null;
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const isoInstant = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Milliseconds since the epoch, or null where the text is no ISO 8601 instant. Without an offset: the local zone. */
export function parseInstant(value: string): number | null {
  const match = isoInstant.exec(value.trim());
  if (match === null) return null;
  const [date, time] = value.trim().split(/[T ]/, 2) as [string, string | undefined];
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return null;
  const ms = time === undefined ? new Date(year, month - 1, day).getTime() : Date.parse(`${date}T${time}`);
  return Number.isNaN(ms) ? null : ms;
}
