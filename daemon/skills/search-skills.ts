// Skills by meaning and keyword: the same index and ranking as a search of memories.

import type { CallContext } from '#daemon/kernel/context.ts';
import { isOfUser } from '#daemon/storage/of-user.ts';
import { isBlank } from '#shared/contract/common.ts';
import type { searchSkills } from '#shared/contract/knowledge/skills.ts';
import type { OutputOf, ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';
import type { SkillDeps } from './deps.ts';
import { type SkillSummaryRow, skillKind, skillToSummary, summaryColumns } from './skill.ts';

/** Throws `invalid_input` for a blank query; one without a letter or digit finds nothing. */
export async function foundSkills(
  deps: SkillDeps,
  { query, k, project_id }: ParsedInputOf<typeof searchSkills>,
  context: CallContext,
): Promise<OutputOf<typeof searchSkills>> {
  if (isBlank(query)) throw invalidField('query', '`query`: must not be blank: say what you want to do.');
  const { hits, degraded } = await deps.retrieval.retrieve({
    text: query,
    filter: {
      userId: context.userId,
      kinds: [skillKind.kind],
      statuses: ['active'],
      projectIds: project_id === undefined ? null : [project_id],
      types: null,
    },
    mode: 'hybrid',
    limit: k,
    signal: context.signal ?? undefined,
  });
  const rows = await rowsOf(
    deps,
    hits.map((hit) => hit.id),
    context.userId,
  );
  const skills = hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    if (row === undefined) return [];
    const similarity = hit.similarity === null ? null : rounded(hit.similarity);
    return [{ ...skillToSummary(row), score: rounded(hit.relevance), similarity }];
  });
  return {
    skills,
    total_count: skills.length,
    total: skills.length,
    search_query: query,
    query,
    degraded: [...degraded],
  };
}

async function rowsOf(deps: SkillDeps, ids: readonly number[], userId: number): Promise<Map<number, SkillSummaryRow>> {
  if (ids.length === 0) return new Map();
  const rows = await deps.database.db
    .selectFrom('skills')
    .select(summaryColumns)
    .where('id', 'in', ids)
    .where(isOfUser(userId))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Six decimals are enough for any score. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
