// What the lists and the endings of every kind of the catalogue have in common.
import { z } from 'zod';
import { id, text } from '../common.ts';

/** Under which a repeated change is recognised. */
export const idempotencyKey = text(200).optional();

/** Which page of a list. */
export const page = {
  limit: z.int().min(1).max(100).default(100),
  offset: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
};

/** What a page says of the whole list; `total_count` and `total` are one number under the names of two surfaces. */
export const pageOutput = {
  total_count: z.int(),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
};

/** The answer to a deletion. */
export const deleted = z.object({ success: z.boolean(), deleted_id: id });
