// Up to a thousand saves in one call. Texts are embedded one a run in the bulk lane, a few ahead of the store, so that model and
// database work side by side; each item has an idempotency key of its own, so a batch killed half-way repeats only what was not done.

import { type CallContext, partOfClaim } from '#daemon/kernel/context.ts';
import type { Trx } from '#daemon/storage/sqlite.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import type { SaveOutput } from '#shared/contract/lifecycle.ts';
import { errorToProblem, LociError, type Problem } from '#shared/errors.ts';
import { applySave } from './apply-save.ts';
import { type Committed, commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { judgeAfter, remarkInWords } from './judge.ts';
import { planSave, type SavePlan, savePlace } from './plan-save.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { checkSave, maxAttempts, savePrepared } from './save.ts';
import type { SaveRequest } from './save-request.ts';

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
      const { text, warnings } = prepared;
      answers.push(
        (earlier?.answer as SaveOutput) ??
          remarkInWords(await savePrepared(deps, request, text, part, 'bulk'), warnings),
      );
    } catch (error) {
      if (!(error instanceof LociError)) throw error;
      answers.push({ outcome: 'failed', error: errorToProblem(error) });
    }
  }
  return answers;
}

/** All or nothing: texts are checked and embedded first, planned as single saves are, and stored in one transaction. */
async function saveAll(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
  context: CallContext,
): Promise<ManyOutcome[]> {
  const prepared: PreparedText[] = [];
  const remarks: (readonly PluginWarning[])[] = [];
  for await (const [index, , item] of preparedInOrder(deps, requests)) {
    if (item instanceof LociError) throw ofItem(index, item);
    prepared.push(item.text);
    remarks.push(item.warnings);
  }
  const places = new Set<string>();
  for (const request of requests) places.add(await savePlace(deps, request, context));
  const answers = await deps.mutex.run([...places], async () => {
    for (let attempt = 1; ; attempt += 1) {
      const plans = await planAll(deps, requests, prepared, context, attempt < maxAttempts);
      const answer = await commitChanges(deps, context, (trx) => applyAll(trx, deps, plans, context));
      if (answer !== 'look again') return answer.results;
    }
  });
  return Promise.all(
    answers.map(async (answer, index) => {
      const proposed = requests[index]?.draft;
      const isTold = proposed !== undefined && answer.outcome !== 'unchanged';
      const told = isTold
        ? await judgeAfter(deps, { operation: 'create', previous: null, proposed, id: answer.id })
        : [];
      return remarkInWords(answer, [...(remarks[index] ?? []), ...told]);
    }),
  );
}

async function planAll(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
  prepared: readonly PreparedText[],
  context: CallContext,
  mayMerge: boolean,
): Promise<SavePlan[]> {
  const plans: SavePlan[] = [];
  // the united text of a second merge would have to be made from the first one's
  const taken = new Set<number>();
  for (const [index, request] of requests.entries()) {
    const text = prepared[index] as PreparedText;
    const plan = await planSave(deps, request, text, context, { lane: 'bulk', apart: mayMerge ? taken : 'all' }).catch(
      (error: unknown) => {
        throw error instanceof LociError ? ofItem(index, error) : error;
      },
    );
    if (plan.merge !== null) taken.add(plan.merge.target.id);
    plans.push(plan);
  }
  return plans;
}

async function applyAll(
  trx: Trx,
  deps: MemoryDeps,
  plans: readonly SavePlan[],
  context: CallContext,
): Promise<Committed<{ results: SaveOutput[] }> | 'look again'> {
  const stored: Committed<SaveOutput>[] = [];
  for (const [index, plan] of plans.entries()) {
    const item = await applySave(trx, deps, plan, context).catch((error: unknown) => {
      throw error instanceof LociError ? ofItem(index, error) : error;
    });
    if (item === 'look again') return item;
    stored.push(item);
    // other work gets its turn; writes wait for this transaction all the same
    if (index % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    answer: { results: stored.map((item) => item.answer) },
    vectors: stored.flatMap((item) => item.vectors),
    log: stored.flatMap((item) => item.log),
  };
}

/** A refusal that says which of the memories it is about. */
function ofItem(index: number, { code, message, details }: LociError): LociError {
  return new LociError(code, `memories.${index}: ${message}`, details);
}

async function* preparedInOrder(
  deps: MemoryDeps,
  requests: readonly SaveRequest[],
): AsyncGenerator<[number, SaveRequest, Prepared | LociError]> {
  const ahead: Promise<Prepared | LociError>[] = [];
  const start = (request: SaveRequest | undefined): void => {
    if (request !== undefined) ahead.push(prepareOrRefuse(deps, request));
  };
  for (const request of requests.slice(0, embedAhead)) start(request);
  for (const [index, request] of requests.entries()) {
    start(requests[index + embedAhead]);
    yield [index, request, await (ahead[index] as Promise<Prepared | LociError>)];
  }
}

/** A checked text with its vector, and what the policy remarked about it. */
type Prepared = { readonly text: PreparedText; readonly warnings: readonly PluginWarning[] };

async function prepareOrRefuse(deps: MemoryDeps, request: SaveRequest): Promise<Prepared | LociError> {
  try {
    const warnings = await checkSave(deps, request);
    return { text: await prepareText(deps.embedder, request.draft, 'bulk'), warnings };
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
}
