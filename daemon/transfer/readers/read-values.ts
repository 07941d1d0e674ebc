// Values as other programs write them, read for what they mean; what is none of it is null or empty, never an error.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { metadata } from '#shared/contract/common.ts';

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A text field of something read, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The texts of a list; a text that is a JSON list is read as one, any other is one member. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.filter((member): member is string => typeof member === 'string' && member.trim() !== '');
  if (typeof value !== 'string' || value.trim() === '') return [];
  if (value.trimStart().startsWith('[')) {
    try {
      return textsOf(JSON.parse(value));
    } catch {
      return [value];
    }
  }
  return [value];
}

export function numberOf(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : null;
}

export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') {
    try {
      return objectOf(JSON.parse(value));
    } catch {
      return {};
    }
  }
  return isRecord(value) ? value : {};
}

/** What fits the rules of metadata (16 KB, 8 levels); what does not is left out, the text that it stood beside is not. */
export function metadataOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const safe = Object.fromEntries(Object.entries(fields).filter(([name]) => !unsafeNames.has(name)));
  const result = metadata.safeParse(JSON.parse(JSON.stringify(safe)));
  return result.success ? result.data : {};
}

/** UTC of what a program wrote as a time: ISO 8601 (without an offset it is UTC), or seconds or milliseconds since 1970. */
export function instantOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) {
    return toIso(value < 1e11 ? value * 1000 : value);
  }
  if (typeof value !== 'string' || value.trim() === '') return null;
  const text = value.trim().replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
  return toIso(Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`));
}

function toIso(ms: number): string | null {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 && ms > -62_135_596_800_000 && ms < 253_402_300_800_000
    ? new Date(ms).toISOString()
    : null;
}
