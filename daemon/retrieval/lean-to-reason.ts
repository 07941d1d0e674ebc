// A question may say why it is asked. The reason ranks what the question found, by the words they share, and finds nothing by itself.
// By its words alone: agents write a new reason with every question, and one more run of the model would double what a question costs.
import type { ScopeFilter, ThingKey } from '#daemon/storage/search-types.ts';
import { type CandidateDeps, candidatesPerKind } from './candidates.ts';
import type { FusedHit } from './fuse.ts';

/** How much the reason of a question weighs beside the question itself, for what fits it best of all. */
const reasonWeight = 0.3;

/** The hits, those that fit the reason too moved up; their own figures stay as they are. */
export async function leanToReason(
  { reader }: Pick<CandidateDeps, 'reader'>,
  { reason, filter }: { readonly reason: string; readonly filter: ScopeFilter },
  found: readonly FusedHit[],
): Promise<FusedHit[]> {
  const { hits } = await reader.ask('keywordCandidates', { text: reason, filter, limit: candidatesPerKind });
  const scores = new Map(hits.map((hit) => [nameOf(hit), hit.score]));
  const best = hits[0]?.score ?? 1;
  const weigh = (hit: FusedHit): number => hit.relevance * (1 + (reasonWeight * (scores.get(nameOf(hit)) ?? 0)) / best);
  return [...found].sort((a, b) => weigh(b) - weigh(a) || a.id - b.id);
}

function nameOf({ kind, id }: ThingKey): string {
  return `${kind}:${id}`;
}
