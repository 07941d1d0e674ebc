// A search's answer in the words of the wire: summaries at depth 1, whole records from depth 2.

import { toUtc } from '#daemon/kernel/clock.ts';
import type { memorySearch } from '#shared/contract/lifecycle.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { MemoryDeps } from './deps.ts';
import { cutAtWord, shownTitle } from './memory.ts';
import { memoriesToRecords, projectNamesOf, round } from './record.ts';
import type { Found, SearchAnswer } from './search.ts';

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
  const whole = asked.depth > 1 ? await memoriesToRecords(deps, db, memories) : null;
  const names = await projectNamesOf(deps, db, memories);
  const results = answer.found.map((item, index) => ({
    ...summaryOf(item, names),
    ...(whole?.[index] ?? {}),
    ...(item.crossProject ? { cross_project: true } : {}),
    ...(asked.explain ? { explain: explain(item) } : {}),
  }));
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

function summaryOf({ memory, score }: Found, names: ReadonlyMap<number, string>) {
  const [primary] = memory.projectIds;
  return {
    id: memory.id,
    kind: 'memory',
    title: shownTitle(memory),
    type: memory.type,
    project: primary === undefined ? null : (names.get(primary) ?? null),
    score: round(score.score),
    summary: cutAtWord(memory.content.trim(), summaryLength),
    updated_at: toUtc(memory.updatedAtMs),
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
