// A search's answer in the words of the wire: summaries at depth 1, whole records from depth 2.

import { toUtc } from '#daemon/kernel/clock.ts';
import type { memorySearch } from '#shared/contract/lifecycle.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { MemoryDeps } from './deps.ts';
import { cutAtWord, type Memory, shownTitle } from './memory.ts';
import { memoriesToRecords, projectNamesOf, round } from './record.ts';
import type { Found, SearchAnswer } from './search-request.ts';

type Words = OutputOf<typeof memorySearch>;
type Asked = {
  readonly depth: number;
  readonly mode: 'hybrid' | 'keyword' | 'vector';
  readonly explain: boolean;
  readonly startedMs: number;
};

const summaryLength = 240;

export async function answerToWords(deps: MemoryDeps, answer: SearchAnswer, asked: Asked): Promise<Words> {
  const { db } = deps.database;
  const memories = answer.found.map((item) => item.memory);
  const records = asked.depth > 1 ? await memoriesToRecords(deps, db, memories) : await titlesOf(deps, memories);
  // added to the record itself: a copy of its fifty fields would be the slow kind of object, here and in all that reads it
  const results = answer.found.map((item, index) =>
    Object.assign(records[index] as (typeof records)[number], summaryOf(item), {
      ...(item.crossProject ? { cross_project: true } : {}),
      ...(asked.explain ? { explain: explain(item) } : {}),
    }),
  );
  return {
    results,
    related: answer.related.map((item) => ({ ...item, score: round(item.score) })),
    depth: asked.depth,
    mode: asked.mode,
    degraded: [...answer.degraded],
    took_ms: Math.round((performance.now() - asked.startedMs) * 100) / 100,
    ...(answer.hint === null ? {} : { hint: answer.hint }),
  };
}

/** What depth 1 tells of a memory. */
async function titlesOf(deps: MemoryDeps, memories: readonly Memory[]) {
  const names = await projectNamesOf(deps, deps.database.db, memories);
  return memories.map((memory) => {
    const [primary] = memory.projectIds;
    return {
      id: memory.id,
      title: shownTitle(memory),
      type: memory.type,
      project: primary === undefined ? null : (names.get(primary) ?? null),
      updated_at: toUtc(memory.updatedAtMs),
    };
  });
}

function summaryOf({ memory, score }: Found) {
  return {
    kind: 'memory',
    score: round(score.score),
    summary: cutAtWord(memory.content.trim(), summaryLength),
  };
}

/** Every factor of the score, so that a person can see why a memory stands where it does. */
function explain({ hit, score }: Found): Record<string, unknown> {
  return {
    relevance: round(hit.relevance),
    similarity: hit.similarity === null ? null : round(hit.similarity),
    keyword: hit.keyword === null ? null : round(hit.keyword),
    fused: round(hit.fused),
    decay: round(score.decay),
    frequency: round(score.frequency),
    trust: round(score.trust),
    score: round(score.score),
    ...hit.explain,
  };
}
