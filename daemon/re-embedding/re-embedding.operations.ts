import { isAbsolute } from 'node:path';
import { toUtc } from '#daemon/kernel/clock.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import type { ModelChoice } from '#daemon/storage/vectors/store-model.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import { getReEmbedding, reEmbed } from '#shared/contract/re-embedding.ts';
import { invalidField } from '#shared/errors.ts';
import type { ReEmbeddingDeps } from './deps.ts';
import { planReEmbedding } from './plan.ts';
import type { ReEmbedding, ReEmbeddingStatus } from './re-embedding.ts';

export function reEmbeddingOperations(deps: ReEmbeddingDeps, reEmbedding: ReEmbedding): Operation[] {
  return [
    implement(reEmbed, async (input) => {
      const choice = choiceOf(input, reEmbedding.chosen());
      refuseNonsense(choice);
      if (!input.dry_run) {
        await reEmbedding.start(choice, input.batch_size);
        return { ...toWords(await reEmbedding.status()), plan: null };
      }
      const model = deps.open(choice);
      try {
        const plan = await planReEmbedding(deps, model);
        const next_model = model.modelId === deps.active.modelId ? null : model.modelId;
        return { ...toWords(await reEmbedding.status()), next_model, plan };
      } finally {
        await model.close();
      }
    }),
    implement(getReEmbedding, async () => toWords(await reEmbedding.status())),
  ];
}

/** What was asked for, the rest from what holds; a model belongs to its provider and does not follow another one. */
function choiceOf({ provider, model, base_url }: ParsedInputOf<typeof reEmbed>, chosen: ModelChoice): ModelChoice {
  const isOther = provider !== undefined && provider !== chosen.provider;
  return {
    provider: provider ?? chosen.provider,
    model: model ?? (isOther ? null : chosen.model),
    base_url: base_url ?? (isOther ? null : chosen.base_url),
  };
}

/** Nobody is asked for a model of which no hub and no folder could have the name. */
function refuseNonsense({ provider, model }: ModelChoice): void {
  if (provider !== 'huggingface' || model === null || isAbsolute(model)) return;
  if (/^[A-Za-z0-9][\w.-]{0,95}(?:\/[A-Za-z0-9][\w.-]{0,95})?$/.test(model)) return;
  throw invalidField('model', '`model` must be a folder of this machine, or a name such as Xenova/all-MiniLM-L6-v2.');
}

function toWords({ state, model, nextModel, things, done, why, startedAtMs }: ReEmbeddingStatus) {
  return { state, model, next_model: nextModel, things, done, why, started_at: toUtc(startedAtMs) };
}
