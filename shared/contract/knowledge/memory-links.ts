// Links between notes, in both directions. However the ends are called, the first is the source.
import { z } from 'zod';
import { id, text } from '../common.ts';
import { defineContract, readOnlyHints, updateHints } from '../operation.ts';
import { note } from './note.ts';

const ids = (max: number) => z.array(id).max(max);
const key = text(200).optional();
const memoryId = id.optional().describe('the memory; `id` is the same');

const linkEnds = {
  memory_id: id.optional(),
  id: id.optional(),
  source_id: id.optional(),
  from_id: id.optional(),
  from_memory_id: id.optional(),
  memory_id_1: id.optional(),
  related_ids: ids(100).optional(),
  target_id: id.optional(),
  target_ids: ids(100).optional(),
  related_id: id.optional(),
  to_id: id.optional(),
  to_memory_id: id.optional(),
  memory_id_2: id.optional(),
  linked_ids: ids(100).optional(),
  related_memory_ids: ids(100).optional(),
  memory_ids: ids(101).optional().describe('the source first, then its targets'),
  ids: ids(101).optional(),
};

export const linkMemories = defineContract({
  name: 'link_memories',
  title: 'Link notes',
  description:
    'Link one note to others, in both directions. Targets that do not exist or are linked already are skipped and named.',
  category: 'memory',
  input: z.strictObject({ ...linkEnds, idempotency_key: key }),
  output: z.object({
    linked_memory_ids: z.array(id),
    linked_ids: z.array(id),
    skipped_ids: z.array(z.object({ id, reason: z.string() })),
  }),
  examples: [{ memory_id: 1, related_ids: [2, 5] }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'POST', path: '/api/v1/memories/:id/links' }],
});

export const unlinkMemories = defineContract({
  name: 'unlink_memories',
  title: 'Unlink notes',
  description: 'Remove the link between a note and others, whichever way it was made.',
  category: 'memory',
  input: z.strictObject({ ...linkEnds, idempotency_key: key }),
  output: z.object({ success: z.boolean() }),
  examples: [{ memory_id: 1, related_ids: [2] }],
  hints: updateHints,
  scope: 'write:memories',
});

export const removeMemoryLink = defineContract({
  name: 'remove_memory_link',
  title: 'Remove one link',
  description: 'Remove the link between two notes; not_found when there is none.',
  category: 'memory',
  input: z.strictObject({ id, target_id: id, idempotency_key: key }),
  output: z.object({ success: z.boolean() }),
  examples: [{ id: 1, target_id: 2 }],
  hints: updateHints,
  scope: 'write:memories',
  http: [{ method: 'DELETE', path: '/api/v1/memories/:id/links/:target_id' }],
});

export const getMemoryLinks = defineContract({
  name: 'get_memory_links',
  title: 'Linked notes',
  description: 'List the notes that a note is linked to, the most important first.',
  category: 'memory',
  input: z.strictObject({ memory_id: memoryId, id: id.optional(), limit: z.int().min(1).max(100).default(20) }),
  output: z.object({ memory_id: id, linked_memories: z.array(note), total_count: z.int() }),
  examples: [{ memory_id: 1, limit: 10 }],
  hints: readOnlyHints,
  scope: 'read:memories',
  http: [{ method: 'GET', path: '/api/v1/memories/:id/links' }],
});
