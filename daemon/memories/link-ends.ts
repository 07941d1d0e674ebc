// Clients of the catalogue name the ends of a link in many ways; all of them mean one source and its targets.
import type { linkMemories } from '#shared/contract/knowledge/memory-links.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';

type LinkInput = ParsedInputOf<typeof linkMemories>;

export type LinkEnds = { readonly sourceId: number; readonly targetIds: readonly number[] };

/** Reads source and targets. Throws `invalid_input` for none, for two different sources, and for a link to itself. */
export function linkEndsOf(input: LinkInput): LinkEnds {
  const list = input.memory_ids ?? input.ids;
  const sources = [input.memory_id, input.source_id, input.from_id, input.from_memory_id, input.memory_id_1, input.id];
  const sourceId = sources.find((given) => given !== undefined) ?? list?.[0];
  if (sourceId === undefined) {
    throw new LociError('invalid_input', '`memory_id`: is required: the memory to link from.', {
      memory_id: 'is required',
    });
  }
  const single = [input.target_id, input.related_id, input.to_id, input.to_memory_id, input.memory_id_2];
  const given = [
    ...(input.related_ids ?? []),
    ...(input.target_ids ?? []),
    ...(input.linked_ids ?? []),
    ...(input.related_memory_ids ?? []),
    ...single.flatMap((id) => (id === undefined ? [] : [id])),
    ...(list ?? []).filter((id) => id !== sourceId),
  ];
  const targetIds = [...new Set(given)];
  if (targetIds.length === 0) {
    throw new LociError('invalid_input', '`related_ids`: is required: at least one memory to link to.', {
      related_ids: 'is required',
    });
  }
  if (targetIds.includes(sourceId)) {
    throw new LociError('invalid_input', 'A memory cannot be linked to itself.', {
      related_ids: 'must not hold the source',
    });
  }
  return { sourceId, targetIds };
}

/** `memory_id` or its short name `id`. Throws `invalid_input` for neither, and for two that differ. */
export function requireNoteId(input: { memory_id?: number | undefined; id?: number | undefined }): number {
  const id = input.memory_id ?? input.id;
  if (id === undefined) throw new LociError('invalid_input', '`memory_id`: is required.', { memory_id: 'is required' });
  if (input.id !== undefined && input.id !== id) {
    throw new LociError('invalid_input', '`id` and `memory_id` differ: give one of them.', {
      id: 'differs from memory_id',
    });
  }
  return id;
}
