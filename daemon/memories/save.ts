// Saving one memory: secrets refused → policies → project → embed → mutex → near-duplicates → ONE transaction → published → announced.
// Embedding happens before the transaction, so no write ever waits for the model; the target of a merge is checked again inside it.

import type { Lane } from '#daemon/embeddings/embedder.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import type { SaveOutput } from '#shared/contract/lifecycle.ts';
import { applySave } from './apply-save.ts';
import { commitChanges } from './commit.ts';
import type { MemoryDeps } from './deps.ts';
import { judgeAfter, judgeBefore, remarkInWords } from './judge.ts';
import { planSave, savePlace } from './plan-save.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import type { SaveRequest } from './save-request.ts';
import { refuseSecretsIn } from './secrets.ts';

/** How often a save looks again when its merge target changed under it, before it stores the text as a memory of its own. */
export const maxAttempts = 3;

/** Saves one memory and answers what became of it; `id` is always the surviving memory. */
export async function saveMemory(deps: MemoryDeps, request: SaveRequest, context: CallContext): Promise<SaveOutput> {
  const warnings = await checkSave(deps, request);
  const prepared = await prepareText(deps.embedder, request.draft, 'save');
  return remarkInWords(await savePrepared(deps, request, prepared, context), warnings);
}

/** What refuses a save before anything is embedded or written: secrets, then the policy; answers what the policy remarks. */
export async function checkSave(
  deps: MemoryDeps,
  { draft, projectIds }: Pick<SaveRequest, 'draft'> & { readonly projectIds?: readonly number[] },
): Promise<readonly PluginWarning[]> {
  refuseSecretsIn(draft);
  return judgeBefore(deps, { operation: 'create', previous: null, proposed: draft, projectIds });
}

/** The rest of a save, once its text is embedded; the policy hears of it at the end. */
export async function savePrepared(
  deps: MemoryDeps,
  request: SaveRequest,
  prepared: PreparedText,
  context: CallContext,
  lane: Lane = 'save',
): Promise<SaveOutput> {
  const answer = await deps.mutex.run([await savePlace(deps, request, context)], async () => {
    for (let attempt = 1; ; attempt += 1) {
      const apart = attempt < maxAttempts ? new Set<number>() : 'all';
      const plan = await planSave(deps, request, prepared, context, { lane, apart });
      const saved = await commitChanges(deps, context, (trx) => applySave(trx, deps, plan, context));
      if (saved !== 'look again') return saved;
    }
  });
  if (answer.outcome === 'unchanged') return answer;
  const { draft: proposed } = request;
  return remarkInWords(
    answer,
    await judgeAfter(deps, { operation: 'create', previous: null, proposed, id: answer.id }),
  );
}
