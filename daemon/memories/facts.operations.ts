// Words of the one-tool fact memory ↔ use-cases. What a field may be depends on the action, so each refusal is written here.

import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import { isBlank } from '#shared/contract/common.ts';
import { correctedFactKey, factCategories, factSources, isFactKey, memoryTool } from '#shared/contract/facts.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { MemoryDeps } from './deps.ts';
import { factCategoryCounts } from './facts.repository.ts';
import { forgetFact, saveFact, searchFacts } from './facts.ts';
import { expiryOf, hasWord, type Memory, type MemoryDraft } from './memory.ts';
import { emptyDraft } from './new-draft.ts';

type Input = ParsedInputOf<typeof memoryTool>;
type FactCategory = (typeof factCategories)[number];

export function factOperations(deps: MemoryDeps): Operation[] {
  return [
    implement(memoryTool, async (input, context) => {
      switch (input.action) {
        case 'save':
          return save(deps, input, context);
        case 'search':
          requireRead(context, input.action);
          return search(deps, input, context);
        case 'forget':
          return forgetFact(deps, { key: requireKey(input), category: input.category ?? null }, context);
        case 'list':
          requireRead(context, input.action);
          return list(deps, context);
      }
    }),
  ];
}

/** The tool as a whole needs `write:memories`; a token that may only write still reads nothing by it. */
function requireRead({ scopes }: CallContext, action: string): void {
  if (isAllowed(scopes, 'read:memories')) return;
  throw new LociError(
    'forbidden',
    `'memory' with the action ${action} is not permitted: it needs the scope 'read:memories'.`,
  );
}

async function save(deps: MemoryDeps, input: Input, context: CallContext) {
  const { category } = input;
  if (category === undefined) {
    throw invalidField('category', `save needs a category: one of ${factCategories.join(', ')}`);
  }
  const key = requireKey(input);
  const value = input.value?.trim() ?? '';
  if (isBlank(value))
    throw invalidField('value', 'save needs a value: the fact as a statement of 1 to 2,000 characters');
  const draft: MemoryDraft & { category: string; key: string } = {
    ...emptyDraft(context, deps.clock.now()),
    type: 'fact',
    content: value,
    category,
    key,
    confidence: confidenceOf(input.confidence),
    source: factSources.find((source) => source === input.source) ?? 'conversation',
    sourceContext: input.source_context ?? null,
    expiresAtMs: expiryOf(
      input.expires_days === undefined ? {} : { expires_days: input.expires_days },
      deps.clock.now(),
    ),
  };
  return saveFact(deps, draft, context, (memory, created) => ({
    action: 'save' as const,
    category,
    key,
    created,
    id: memory.id,
    expires_at: toUtc(memory.expiresAtMs),
  }));
}

async function search(deps: MemoryDeps, input: Input, context: CallContext) {
  const query = input.query ?? '';
  if (isBlank(query)) throw invalidField('query', 'search needs a query: say what you want to know');
  if (!hasWord(query)) return { facts: [] };
  const { facts, degraded } = await searchFacts(deps, query, context);
  return { facts: facts.map(factToWords), ...(degraded.length === 0 ? {} : { degraded: [...degraded] }) };
}

async function list(deps: MemoryDeps, context: CallContext) {
  const counts = await factCategoryCounts(deps.database.db, context.userId, deps.clock.now());
  return {
    categories: counts.map(({ category, facts, updatedAtMs }) => ({
      category: category as FactCategory,
      facts,
      updated_at: toUtc(updatedAtMs),
    })),
  };
}

function factToWords(memory: Memory) {
  return {
    category: memory.category as FactCategory,
    key: memory.key as string,
    value: memory.content,
    src: memory.source ?? 'conversation',
    conf: Math.round(memory.confidence * 100),
    ctx: memory.sourceContext,
    updated_at: toUtc(memory.updatedAtMs),
    expires_at: toUtc(memory.expiresAtMs),
  };
}

function requireKey(input: Input): string {
  const { key, action } = input;
  if (key === undefined || isBlank(key))
    throw invalidField('key', `${action} needs a key in snake_case, such as ci_host`);
  if (isFactKey(key)) return key;
  const corrected = correctedFactKey(key);
  const advice = corrected === '' ? 'such as ci_host' : `such as ${corrected}`;
  throw invalidField(
    'key',
    `must be snake_case (lower-case letters, digits and single underscores, at most 100), ${advice}`,
  );
}

/** The `memory` tool alone clamps: 0–100, rounded, 70 when absent; kept as n/100. */
function confidenceOf(given: number | undefined): number {
  return Math.min(100, Math.max(0, Math.round(given ?? 70))) / 100;
}
