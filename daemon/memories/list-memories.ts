// Pages of whatever is stored, for a person who looks through it. Reading a line of a list is no access: else tidying would keep alive.
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { memoryConflicts, memoryList, memoryMerge, memorySettle } from '#shared/contract/browse.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { openConflicts, settleConflict } from './duplicates/conflicts.ts';
import { mergeTwo } from './duplicates/merge-two.ts';
import { instantToMs } from './memory.ts';
import { linesOf } from './memory-lines.ts';
import { memoryToRecord } from './record.ts';

export function browseOperations(deps: MemoryDeps): Operation[] {
  return [
    implement(memoryList, (input, context) => listMemories(deps, input, context)),
    implement(memoryMerge, ({ id, from, content }, context) =>
      mergeTwo(deps, { id, from, content: content ?? null }, context, (memory, _changed, queries) =>
        memoryToRecord(deps, queries, memory),
      ),
    ),
    implement(memoryConflicts, ({ limit }, context) => openConflicts(deps, limit, context)),
    implement(memorySettle, (input, context) => settleConflict(deps, input, context)),
  ];
}

async function listMemories(
  deps: MemoryDeps,
  input: ParsedInputOf<typeof memoryList>,
  context: CallContext,
): Promise<OutputOf<typeof memoryList>> {
  const { limit, offset } = input;
  if (input.ids !== undefined) {
    const memories = await linesOf(deps, input.ids, context);
    return { memories, total: memories.length, limit, offset: 0, has_more: false };
  }
  const { db } = deps.database;
  const { userId } = context;
  const projectId = input.project === undefined ? null : await deps.projects.idByName(db, userId, input.project);
  if (input.project !== undefined && projectId === null) {
    throw new LociError('not_found', `There is no project "${input.project}".`, { project: input.project });
  }
  const page = await deps.reader.ask('memoryList', {
    filter: {
      userId,
      projectId,
      projectName: input.project === undefined ? null : await deps.projects.shownName(db, userId, input.project),
      type: input.type ?? null,
      tier: input.tier ?? null,
      status: input.status === 'any' ? null : input.status,
      agent: input.agent ?? null,
      age: input.age ?? null,
      pinned: input.pinned ?? null,
      createdSinceMs: instantToMs(input.created_since),
      nowMs: deps.clock.now(),
    },
    sort: input.sort,
    limit,
    offset,
    facets: input.facets,
  });
  return {
    memories: await linesOf(deps, page.ids, context),
    total: page.total,
    limit,
    offset,
    has_more: offset + page.ids.length < page.total,
    ...(page.facets === null ? {} : { facets: page.facets }),
  };
}
