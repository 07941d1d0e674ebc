// Which model a store is searched with, and which it is to have. The two differ after a change of the settings: the old vectors serve
// until all are embedded anew (daemon/re-embedding). `auto` is settled once for a store and kept in it: a model that changed by itself,
// because Ollama happens to run today, would be embedded anew again and again.
import { join } from 'node:path';
import { type ActiveEmbedder, createActiveEmbedder } from '#daemon/embeddings/active-embedder.ts';
import { createEmbedder, type Provider, settleProvider } from '#daemon/embeddings/create-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { modelOfStore } from '#daemon/re-embedding/index.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import {
  activeModel,
  adoptModel,
  hasVectors,
  isSameChoice,
  type ModelChoice,
  readSource,
  readWish,
  writeActiveModel,
} from '#daemon/storage/vectors/store-model.ts';
import type { StoreOptions } from './store-options.ts';

export type OpenedModels = {
  readonly active: ActiveEmbedder;
  /** What everything is to be embedded with, where that is another model. */
  readonly wanted: { readonly embedder: Embedder; readonly choice: ModelChoice } | null;
  /** What the settings say, and what holds: that, or a later choice by hand. */
  readonly settings: ModelChoice;
  readonly chosen: ModelChoice;
  /** A model by its choice; nothing is loaded yet. Throws `invalid_input` for one that cannot work. */
  readonly open: (choice: ModelChoice) => Embedder;
};

const settledKey = 'embedding.auto_provider';

/** `isShared`: a team's store has one model for all, which its settings choose while it is empty and `re_embed` afterwards. */
export async function openModels(options: StoreOptions, database: Database, isShared: boolean): Promise<OpenedModels> {
  const { logger } = options;
  const settings = await choiceOfSettings(options, database);
  const open = modelOpener(options, settings);
  const wish = await readWish(database.db);
  const chosen = wish !== null && isSameChoice(wish.settings, settings) ? wish.choice : settings;
  const embedder = open(chosen);
  const known = await activeModel(database.db);
  const opened = (active: Embedder, wanted: OpenedModels['wanted']): OpenedModels => ({
    active: createActiveEmbedder(active),
    wanted,
    settings,
    chosen,
    open,
  });

  if (known === embedder.modelId || known === null || !(await hasVectors(database.db))) {
    await database.write(internalContext, (trx) => writeActiveModel(trx, embedder.modelId, chosen));
    return opened(embedder, null);
  }
  if (isShared) {
    await embedder.close();
    const { embedder: present, source } = await modelOfStore(database, known, open);
    logger.warn(
      { settings: chosen, model: known },
      'the settings name another model than the team has: the team has its own',
    );
    return { ...opened(present, null), chosen: source ?? chosen };
  }
  const former = await formerModel(database, known, open);
  if (former !== null) return opened(former, { embedder, choice: chosen });
  logger.warn({ from: known, to: embedder.modelId }, 'the former model cannot be had: its vectors serve no more');
  const run = {
    state: 'partial',
    from: known,
    to: embedder.modelId,
    choice: chosen,
    startedAtMs: options.clock.now(),
  } as const;
  await adoptModel(database, { modelId: embedder.modelId, source: chosen, run });
  return opened(embedder, null);
}

/** The model of the store's vectors, made again as it was chosen then; null where that gives another one today, or none. */
async function formerModel(database: Database, known: string, open: OpenedModels['open']): Promise<Embedder | null> {
  const source = await readSource(database.db);
  if (source === null) return null;
  try {
    const former = open(source);
    if (former.modelId === known) return former;
    await former.close();
  } catch {
    // what cannot be made any more cannot serve
  }
  return null;
}

function modelOpener(options: StoreOptions, settings: ModelChoice): OpenedModels['open'] {
  const { clock, logger, paths } = options;
  const given = options.settings.values;
  return (choice) => {
    if (options.embedder !== undefined && isSameChoice(choice, settings)) return options.embedder;
    const known = options.models?.(choice);
    if (known !== undefined) return known;
    return createEmbedder(
      { clock, logger },
      {
        provider: choice.provider as Provider,
        model: choice.model ?? undefined,
        baseUrl: choice.base_url ?? undefined,
        // who names a model by its id asks for it; one that lies in a folder is never fetched
        allowDownload: true,
        modelsFolder: join(paths.data, 'models'),
        env: environmentOf(options, given),
      },
    );
  };
}

function environmentOf({ env }: StoreOptions, given: StoreOptions['settings']['values']): NodeJS.ProcessEnv {
  return {
    ...env,
    OLLAMA_HOST: given['embedding.ollama_host'],
    OPENAI_API_KEY: given['embedding.openai_api_key'] ?? undefined,
  };
}

async function choiceOfSettings(options: StoreOptions, database: Database): Promise<ModelChoice> {
  const given = options.settings.values;
  const baseUrl = given['embedding.base_url'] ?? undefined;
  const provider =
    given['embedding.provider'] === 'auto'
      ? await settled(database, { baseUrl, env: environmentOf(options, given) })
      : given['embedding.provider'];
  return { provider, model: given['embedding.model'] ?? null, base_url: baseUrl ?? null };
}

async function settled(
  database: Database,
  where: { baseUrl: string | undefined; env: NodeJS.ProcessEnv },
): Promise<Provider> {
  const known = await database.db
    .selectFrom('store_facts')
    .select('value')
    .where('key', '=', settledKey)
    .executeTakeFirst();
  if (known !== undefined) return known.value as Provider;
  const provider = await settleProvider(where);
  await database.write(internalContext, async (trx) => {
    await trx.insertInto('store_facts').values({ key: settledKey, value: provider }).execute();
  });
  return provider;
}
