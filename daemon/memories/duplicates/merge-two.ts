// Two memories that a person holds for one. The one that stays takes over what the other says; the other becomes obsolete and
// points to it, so that nothing is lost and `memory_revert` with `memory_update {status: "active"}` takes the union back.
import type { CallContext } from '#daemon/kernel/context.ts';
import { codePoints } from '#shared/contract/common.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';
import { isKeyedFact, type Memory } from '../memory.ts';
import { uniteSentences } from '../sentences.ts';
import { type AnswerOf, changeMemory, requireMemory } from '../update.ts';
import { recordUnion } from '../upkeep/unions.repository.ts';
import { mergeDrafts } from './merge.ts';

const maxContentLength = 20_000;

export type MergeRequest = {
  /** The one that stays. */
  readonly id: number;
  readonly from: number;
  /** What the union says; null for the sentences of both, each once. */
  readonly content: string | null;
};

/** Throws `not_found` for an unknown memory, `invalid_input` for a fact, for one memory twice, and for a union that is too long. */
export async function mergeTwo<Answer extends object>(
  deps: MemoryDeps,
  { id, from, content }: MergeRequest,
  context: CallContext,
  answerOf: AnswerOf<Answer>,
): Promise<Answer> {
  if (id === from)
    throw new LociError('invalid_input', 'Name two memories: one cannot be merged with itself.', { from });
  const other = await requireMemory(deps, from, context);
  requireActive(other);
  const apply = (present: Memory) => {
    requireActive(present);
    for (const memory of [present, other]) requireNoFact(memory);
    const united = content ?? uniteSentences(inOrderOfTime(present, other).map((memory) => memory.content));
    if (codePoints(united) > maxContentLength) {
      throw new LociError('invalid_input', 'Both together are too long for one memory: pass `content` yourself.', {
        content: `must have at most ${maxContentLength} characters`,
      });
    }
    return { ...mergeDrafts(present, other), content: united };
  };
  const recordAndAnswer: AnswerOf<Answer> = async (memory, changed, queries) => {
    await recordUnion(queries, { heirId: id, memberIds: [from], by: 'hand' });
    return answerOf(memory, changed, queries);
  };
  return changeMemory(deps, id, { action: 'merged', apply, supersedes: [from] }, context, recordAndAnswer);
}

function inOrderOfTime(a: Memory, b: Memory): Memory[] {
  return [a, b].sort((x, y) => x.occurredAtMs - y.occurredAtMs || x.id - y.id);
}

function requireActive({ id, status }: Memory): void {
  if (status === 'active') return;
  throw new LociError('conflict', `Memory ${id} is ${status}: restore it before you merge it.`, { id });
}

function requireNoFact(memory: Memory): void {
  if (!isKeyedFact(memory)) return;
  throw new LociError('invalid_input', `Memory ${memory.id} is the fact '${memory.key}': facts are never merged.`, {
    id: memory.id,
  });
}
