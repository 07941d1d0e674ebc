// Which embedder a store gets. `auto` is settled once for a store and kept in it: a model that changed by itself, because Ollama happens
// to run today, would empty every search by meaning.

import { join } from 'node:path';
import { createEmbedder, type Provider, settleProvider } from '#daemon/embeddings/create-embedder.ts';
import type { Embedder } from '#daemon/embeddings/embedder.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { StoreOptions } from './store.ts';

const settledKey = 'embedding.auto_provider';

/** The embedder of the settings; nothing is loaded yet. */
export async function openEmbedder(options: StoreOptions, database: Database): Promise<Embedder> {
  const { settings, clock, logger, paths } = options;
  const given = settings.values;
  const env = {
    ...options.env,
    OLLAMA_HOST: given['embedding.ollama_host'],
    OPENAI_API_KEY: given['embedding.openai_api_key'] ?? undefined,
  };
  const baseUrl = given['embedding.base_url'] ?? undefined;
  const provider =
    given['embedding.provider'] === 'auto' ? await settled(database, { baseUrl, env }) : given['embedding.provider'];
  return createEmbedder(
    { clock, logger },
    {
      provider,
      model: given['embedding.model'] ?? undefined,
      baseUrl,
      // who names a model by its id asks for it; one that lies in a folder is never fetched
      allowDownload: true,
      modelsFolder: join(paths.data, 'models'),
      env,
    },
  );
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
