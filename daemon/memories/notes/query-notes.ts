// `query_memory`: primaries by importance (ties in search order), their neighbours one link away, all within a token budget.
// Whole notes only; a smaller later one may still fit; links give way before primaries.

import type { CallContext } from '#daemon/kernel/context.ts';
import type { Retrieved, RetrievedHit } from '#daemon/retrieval/retrieve.ts';
import { isBlank } from '#shared/contract/common.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';
import { neighboursOf } from '../links.repository.ts';
import { memoriesByIds } from '../memories.repository.ts';
import { hasWord, isLive, type Memory, shownTitle } from '../memory.ts';
import type { FoundNote, NoteQuery } from './note-query.ts';
import { rerankNotes } from './rerank-notes.ts';

export type QueriedNotes = {
  readonly primaries: readonly FoundNote[];
  readonly linked: readonly { readonly memory: Memory; readonly sourceId: number }[];
  readonly tokens: number;
  readonly truncated: boolean;
  readonly degraded: readonly string[];
};

export async function queryNotes(deps: MemoryDeps, request: NoteQuery, context: CallContext): Promise<QueriedNotes> {
  if (isBlank(request.query)) {
    throw new LociError('invalid_input', '`query`: must not be blank: say what to look for.', {
      query: 'must not be blank',
    });
  }
  const nothing = { primaries: [], linked: [], tokens: 0, truncated: false, degraded: [] };
  if (!hasWord(request.query)) return nothing;
  const { hits, degraded: lacking } = await ranked(deps, request, context);
  const wanted = Math.min(request.k, deps.settings.maxMemories);
  // one more than is shown, so that a reranker knows whether there is a choice
  const enough = Math.max(wanted + 1, deps.settings.rerankCandidates);
  const found = await readNotes(deps, hits, { enough, importanceFrom: request.importanceFrom }, context);
  const { notes, isDegraded } = await rerankNotes(deps, request, found, wanted, context);
  const degraded = isDegraded ? [...lacking, 'rerank'] : lacking;
  const best = notes.slice(0, wanted).sort((a, b) => b.memory.importance - a.memory.importance); // stable: ties keep search order
  const budget = createBudget(request.tokenBudget);
  const primaries = best.filter(({ memory }) => budget.takes(memory));
  const linked =
    primaries.length < best.length
      ? []
      : await linkedNotes(
          deps,
          request,
          primaries.map((item) => item.memory),
          budget,
          context,
        );
  deps.accesses.count(
    [...primaries, ...linked].map((item) => item.memory.id),
    context,
  );
  return { primaries, linked, tokens: budget.used(), truncated: budget.refused(), degraded };
}

/** The first `enough` live notes of the hits, in their order: whole rows cost more than the search, and few of two hundred are shown. */
async function readNotes(
  deps: MemoryDeps,
  hits: readonly RetrievedHit[],
  { enough, importanceFrom }: { readonly enough: number; readonly importanceFrom: number },
  context: CallContext,
): Promise<FoundNote[]> {
  const found: FoundNote[] = [];
  const nowMs = deps.clock.now();
  for (let first = 0; first < hits.length && found.length < enough; first += enough) {
    const page = hits.slice(first, first + enough);
    const rows = await memoriesByIds(
      deps.database.db,
      context.userId,
      page.map((hit) => hit.id),
    );
    for (const hit of page) {
      const memory = rows.get(hit.id);
      if (memory === undefined || !isLive(memory, nowMs) || memory.importance < importanceFrom) continue;
      found.push({ memory, hit, rerankScore: null });
    }
  }
  return found;
}

/** Search order; with a reason given, notes that fit the reason too move up. */
function ranked(deps: MemoryDeps, request: NoteQuery, context: CallContext): Promise<Retrieved> {
  const filter = {
    userId: context.userId,
    kinds: ['memory'],
    statuses: ['active'],
    projectIds: request.projectIds,
    types: null,
  };
  return deps.retrieval.retrieve({
    text: request.query,
    ...(hasWord(request.queryContext) ? { reason: request.queryContext } : {}),
    filter,
    mode: 'hybrid',
    // only a bound on importance can use up more than a page of hits
    limit: request.importanceFrom > 1 ? 200 : 60,
    signal: context.signal ?? undefined,
  });
}

async function linkedNotes(
  deps: MemoryDeps,
  request: NoteQuery,
  primaries: readonly Memory[],
  budget: Budget,
  context: CallContext,
): Promise<{ memory: Memory; sourceId: number }[]> {
  const ids = primaries.map((memory) => memory.id);
  const pairs = await neighboursOf(deps.database.db, context.userId, ids, {
    perMemory: request.linksPerPrimary,
    projectIds: request.strictProjects ? request.projectIds : null,
  });
  const firstSource = new Map<number, number>();
  for (const { from, to } of pairs) if (!ids.includes(to) && !firstSource.has(to)) firstSource.set(to, from);
  const rows = await memoriesByIds(deps.database.db, context.userId, [...firstSource.keys()]);
  const room = deps.settings.maxMemories - primaries.length;
  const nowMs = deps.clock.now();
  return [...firstSource]
    .flatMap(([id, sourceId]) => {
      const memory = rows.get(id);
      return memory === undefined || !isLive(memory, nowMs) ? [] : [{ memory, sourceId }];
    })
    .sort((a, b) => b.memory.importance - a.memory.importance)
    .filter(({ memory }) => budget.takes(memory))
    .slice(0, Math.max(0, room));
}

type Budget = { takes(memory: Memory): boolean; used(): number; refused(): boolean };

function createBudget(tokens: number): Budget {
  let used = 0;
  let refused = false;
  return {
    takes(memory) {
      const cost = tokensOf(memory);
      if (used + cost > tokens) {
        refused = true;
        return false;
      }
      used += cost;
      return true;
    },
    used: () => used,
    refused: () => refused,
  };
}

/** About four characters a token, as English text has under the usual tokenizers; CJK characters count one each. */
function tokensOf(memory: Memory): number {
  const text = [shownTitle(memory), memory.content, memory.context ?? '', ...memory.concepts, ...memory.tags].join(' ');
  const wide = text.match(/[\u3000-\u9fff\uac00-\ud7af]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4) + wide;
}
