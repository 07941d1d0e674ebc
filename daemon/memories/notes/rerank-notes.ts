// The second look at what a search found. It is worth its time only where more was found than is shown.
import type { CallContext } from '#daemon/kernel/context.ts';
import { LociError } from '#shared/errors.ts';
import type { MemoryDeps } from '../deps.ts';
import { hasWord, type Memory, shownTitle } from '../memory.ts';
import type { FoundNote, NoteQuery } from './note-query.ts';

export type RerankedNotes = {
  readonly notes: readonly FoundNote[];
  /** Whether the reranker was to be asked and could not answer: the order is that of the search then. */
  readonly isDegraded: boolean;
};

/** Orders the first notes by how well they answer the query for its reason; those behind them keep their places. */
export async function rerankNotes(
  { reranker, settings }: Pick<MemoryDeps, 'reranker' | 'settings'>,
  { query, queryContext }: Pick<NoteQuery, 'query' | 'queryContext'>,
  found: readonly FoundNote[],
  shown: number,
  { signal }: CallContext,
): Promise<RerankedNotes> {
  if (reranker === null || found.length <= shown) return { notes: found, isDegraded: false };
  const first = found.slice(0, Math.max(shown, settings.rerankCandidates));
  const question = hasWord(queryContext) ? `query: ${query}, context: ${queryContext}` : query;
  try {
    const texts = first.map(({ memory }) => rankedText(memory));
    const scores = await reranker.score(question, texts, signal ?? undefined);
    const scored = first.map((note, index) => ({ ...note, rerankScore: scores[index] ?? 0 }));
    scored.sort((a, b) => b.rerankScore - a.rerankScore); // stable: ties keep search order
    return { notes: [...scored, ...found.slice(first.length)], isDegraded: false };
  } catch (error) {
    if (!(error instanceof LociError)) throw error;
    return { notes: found, isDegraded: true };
  }
}

/** What a reranker reads of a note: each field by its name. */
function rankedText(memory: Memory): string {
  const fields = [
    ['Title', shownTitle(memory)],
    ['Content', memory.content],
    ['Context', memory.context ?? ''],
    ['Keywords', memory.concepts.join(', ')],
    ['Tags', memory.tags.join(', ')],
  ];
  return fields.flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`])).join('\n');
}
