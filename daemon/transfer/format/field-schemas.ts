// The kinds of fields of a record in an export. Bounds are those of the store, not of the surfaces: a text that a merge made longer than
// a save may be must still be able to move. A field that is missing gets what an empty one has, so that files may be written by hand.
import { z } from 'zod';
import { isBlank, parseInstant } from '#shared/contract/common.ts';

/** Longest text, UTF-16 units: a document of 5 MB, with room. */
const maxText = 8 * 2 ** 20;
const maxListed = 10_000;
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const uidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const uid = z
  .string()
  .refine((value) => uidPattern.test(value), { error: 'must be a UUID in lower case' })
  .meta({ format: 'uuid' });

export const optionalUid = uid.nullable().default(null);

export const anyText = z.string().max(maxText);
export const optionalText = anyText.nullable().default(null);
export const emptyText = anyText.default('');

export const someText = anyText
  .refine((value) => !isBlank(value), { error: 'must not be blank' })
  .meta({ minLength: 1 });

/** At most so many UTF-16 units, with something to see in it. */
export function shortText(max: number) {
  return someText.max(max);
}

export const texts = z.array(anyText).max(maxListed).default([]);
export const uids = z.array(uid).max(maxListed).default([]);

export const instant = z
  .string()
  .refine((value) => parseInstant(value) !== null, {
    error: 'must be an ISO 8601 time, such as 2026-11-30T09:00:00.000Z',
  })
  .meta({ format: 'date-time' })
  .transform((value) => new Date(parseInstant(value) ?? 0).toISOString());

export const optionalInstant = instant.nullable().default(null);

export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
export const optionalShare = z.number().min(0).max(1).nullable().default(null);

/** A JSON object none of whose names reaches an object's prototype. */
export const object = z
  .record(z.string(), z.unknown())
  .refine((value) => isSafe(value), { error: 'holds a name that no field may have' })
  .default({});

function isSafe(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => !unsafeNames.has(name) && isSafe(member));
}

export const provenance = {
  source_repo: optionalText,
  source_files: texts,
  source_url: optionalText,
  confidence: optionalShare,
  encoding_agent: optionalText,
  encoding_version: optionalText,
  agent_id: optionalText,
  agent_version: optionalText,
  agent_model: optionalText,
};

export const stamps = { created_at: instant, updated_at: instant };
