// Up to a thousand saves in one call. Texts are embedded one a run in the bulk lane, a few ahead of the store, so that model and
// database work side by side; each item has an idempotency key of its own, so a batch killed half-way repeats only what was not done.

import { type CallContext, partOfClaim } from '#daemon/kernel/context.ts';
import { recordChanges } from '#daemon/storage/change-log.ts';
import type { SaveOutput } from '#shared/contract/lifecycle.ts';
import { errorToProblem, LociError, type Problem } from '#shared/errors.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { fileMemory } from './index-memory.ts';
import { insertMemory } from './memories.repository.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { checkSave, type SaveRequest, savePrepared } from './save.ts';

export type ManyOutcome = SaveOutput | { readonly outcome: 'failed'; readonly error: Problem };

/** How many texts are embedded ahead of the one being stored. */
const embedAhead = 8;

/** Saves in order. With `atomic` the first refusal refuses all and nothing is stored. */
export async function saveMany(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
  atomic: boolean,
  context: CallContext,
): Promise<ManyOutcome[]> {
  return atomic ? saveAll(deps, requests, context) : saveEach(deps, requests, context);
}

async function saveEach(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
  context: CallContext,
): Promise<ManyOutcome[]> {
  const answers: ManyOutcome[] = [];
  for await (const [index, request, prepared] of preparedInOrder(deps, requests)) {
    try {
      if (prepared instanceof LociError) throw prepared;
      const part = partOfClaim(context, index);
      const earlier = part.claim === null ? null : await deps.answers.recorded(part.claim);
      answers.push((earlier?.answer as SaveOutput) ?? (await savePrepared(deps, request, prepared, part, 'bulk')));
    } catch (error) {
      if (!(error instanceof LociError)) throw error;
      answers.push({ outcome: 'failed', error: errorToProblem(error) });
    }
  }
  return answers;
}

/** All or nothing: texts are checked and embedded first, then stored in one transaction, each as a memory of its own unless its twin exists. */
async function saveAll(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
  context: CallContext,
): Promise<ManyOutcome[]> {
  const prepared: PreparedText[] = [];
  for await (const [index, , text] of preparedInOrder(deps, requests)) {
    if (text instanceof LociError) throw new LociError(text.code, `memories.${index}: ${text.message}`, text.details);
    prepared.push(text);
  }
  const answers = await commitChanges(deps, context, async (trx) => {
    const nowMs = deps.clock.now();
    const stored: {
      answer: SaveOutput;
      vectors: Awaited<ReturnType<typeof fileMemory>>;
      log: Awaited<ReturnType<typeof recordChanges>>;
    }[] = [];
    for (const [index, { draft, project }] of requests.entries()) {
      const text = prepared[index] as PreparedText;
      const projectIds = project === null ? [] : [await deps.projects.ensure(trx, context, project)];
      const memory = await insertMemory(trx, { draft, userId: context.userId, projectIds, nowMs });
      const vectors = await fileMemory(trx, memory, text, nowMs);
      const log = await recordChanges(trx, context, deps.clock, [
        { kind: 'memory', thingId: memory.id, action: 'created', snapshot: memory },
      ]);
      const warnings = text.state === 'pending' ? ['embedding_pending'] : [];
      stored.push({ answer: { id: memory.id, outcome: 'created', project, warnings }, vectors, log });
      // other work gets its turn; writes wait for this transaction all the same
      if (index % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    return {
      answer: { results: stored.map((item) => item.answer) },
      vectors: stored.map((item) => item.vectors),
      log: stored.flatMap((item) => item.log),
    };
  });
  if (answers === 'look again') throw new Error('an atomic batch never looks again');
  return answers.results;
}

async function* preparedInOrder(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
): AsyncGenerator<[number, SaveRequest, PreparedText | LociError]> {
  const ahead: Promise<PreparedText | LociError>[] = [];
  const start = (request: SaveRequest | undefined): void => {
    if (request !== undefined) ahead.push(prepareOrRefuse(deps, request));
  };
  for (const request of requests.slice(0, embedAhead)) start(request);
  for (const [index, request] of requests.entries()) {
    start(requests[index + embedAhead]);
    yield [index, request, await (ahead[index] as Promise<PreparedText | LociError>)];
  }
}

async function prepareOrRefuse(deps: MemoryDeps, request: SaveRequest): Promise<PreparedText | LociError> {
  try {
    await checkSave(deps, request);
    return await prepareText(deps.embedder, request.draft, 'bulk');
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
}
