// One search over all kinds of things: the same index and the same ranking as a search of memories, with what each hit is called.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { cutAtWord } from '#daemon/memories/index.ts';
import type { FoundNode } from '#daemon/storage/graph/graph-types.ts';
import { isBlank } from '#shared/contract/common.ts';
import { type SearchedKind, type searchEverything, searchedKinds } from '#shared/contract/knowledge/graph.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';
import { labelOf } from './node-words.ts';
import { visibleKinds } from './visible-kinds.ts';

type Answer = OutputOf<typeof searchEverything>;

/** More than are shown, because a hit may be gone or past its expiry. */
const retrieved = 200;
const summaryLength = 240;

/** Throws `invalid_input` for a blank query; one without a letter or digit finds nothing. */
export async function searchAllKinds(
  deps: GraphDeps,
  input: ParsedInputOf<typeof searchEverything>,
  context: CallContext,
): Promise<Answer> {
  const { query, limit } = input;
  if (isBlank(query)) throw invalidField('query', '`query`: must not be blank: say what to look for.');
  const asked = input.kinds?.length === 0 ? undefined : input.kinds;
  const visible = visibleKinds(deps, asked, context);
  const kinds = searchedKinds.filter((kind) => visible.includes(kind));
  const projectIds = input.project_ids?.length === 0 ? undefined : input.project_ids;
  const { hits, degraded } = await deps.retrieval.retrieve({
    text: query,
    filter: { userId: context.userId, kinds, statuses: ['active'], projectIds: projectIds ?? null, types: null },
    mode: 'hybrid',
    limit: retrieved,
    signal: context.signal ?? undefined,
  });
  const { nodes } = await deps.reader.ask('graphNodes', {
    userId: context.userId,
    nowMs: deps.clock.now(),
    keys: hits.map(({ kind, id, passage }) => ({ kind, id, passage })),
  });
  const known = new Map(nodes.map((node) => [`${node.kind} ${node.id}`, node]));
  const results = hits.flatMap((hit): Answer['results'] => {
    const node = known.get(`${hit.kind} ${hit.id}`);
    if (node === undefined) return [];
    return [
      {
        kind: hit.kind as SearchedKind,
        id: hit.id,
        title: labelOf(node),
        summary: summaryOf(node),
        heading_path: node.place === null ? null : [...node.place.headings],
        project_ids: [...node.projectIds],
        score: rounded(hit.relevance),
        similarity: hit.similarity === null ? null : rounded(hit.similarity),
        keyword: hit.keyword === null ? null : rounded(hit.keyword),
        updated_at: toUtc(Number(node.columns.updated_at)),
      },
    ];
  });
  const shown = results.slice(0, limit);
  return { query, results: shown, total_count: shown.length, degraded: [...degraded] };
}

function summaryOf({ columns, place }: FoundNode): string {
  const text = (place?.excerpt || columns.content) ?? columns.description ?? columns.notes ?? '';
  return cutAtWord(String(text).trim(), summaryLength);
}

/** Six decimals are enough for any score, and keep replies short. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
