// Which engine a store stands on: the two folders of a laptop, or, with `storage.url`, the PostgreSQL database that a team's daemons share.
// What follows from it is decided here once; nothing above knows.
import { newUid } from '#daemon/kernel/ids.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import { aloneIsExclusive, type Exclusive } from '#daemon/storage/exclusive.ts';
import type { VectorModel } from '#daemon/storage/lance/lance-facts.ts';
import { type ObjectStore, readObjectStore } from '#daemon/storage/lance/object-store.ts';
import type { ChangeFeed, FeedListener } from '#daemon/storage/postgres/change-feed.ts';
import { createPulse } from '#daemon/storage/postgres/pulse.ts';
import type { Questions, Reader } from '#daemon/storage/reader.ts';
import type { ReaderSource } from '#daemon/storage/reader-messages.ts';
import { createScans } from '#daemon/storage/scans.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import { createVectors } from '#daemon/storage/vectors/create-vectors.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import { LociError } from '#shared/errors.ts';
import type { StoreOptions } from './store-options.ts';

export type Storage<More extends Questions> = {
  readonly database: Database;
  readonly reader: Reader<More>;
  /** The vectors of the active model, which is asked anew for each change. */
  openVectors(model: () => VectorModel): VectorIndex;
  /** Begins to hear of other daemons, and tells when this one does the upkeep for all: alone it does at once. */
  follow(listener: Omit<FeedListener, 'lost'>): Promise<void>;
  /** For other threads that read. */
  readonly source: ReaderSource;
  /** Whether the database is a team's: no file of this machine then. */
  readonly isShared: boolean;
  /** What one daemon of all may do at a time. */
  readonly exclusive: Exclusive;
  /** How long ago it last heard what other daemons did; null where there are none to hear of. */
  behindMs(): number | null;
  /** Whether this daemon does the upkeep now. */
  isLeading(): boolean;
  /** Ends what `follow` began; database, reader and vectors are closed by who works with them. */
  stopFollowing(): Promise<void>;
};

/** Throws `unavailable` when the database cannot be opened. */
export async function openStorage<More extends Questions>(options: StoreOptions): Promise<Storage<More>> {
  const url = options.settings.values['storage.url'];
  return url === null ? openAlone(options) : openShared(options, url);
}

async function openAlone<More extends Questions>({
  paths,
  settings,
  clock,
  logger,
}: StoreOptions): Promise<Storage<More>> {
  const source = { file: paths.database };
  const opened = await openDatabase({ ...source, clock });
  const reader = createReader<More>({ source, logger });
  const database: Database = {
    ...opened,
    scans: createScans(reader),
    async checkpoint() {
      await reader.ask('foldLog', {}).catch(() => null); // without it there is only more left to do
      return opened.checkpoint();
    },
  };
  return {
    source,
    database,
    reader,
    openVectors: (model) =>
      createVectors({
        database,
        reader,
        clock,
        logger,
        folder: paths.vectors,
        model,
        exactLimit: settings.values['vectors.exact_limit'],
      }),
    follow: async (listener) => listener.lead(),
    exclusive: aloneIsExclusive,
    isShared: false,
    behindMs: () => null,
    isLeading: () => true,
    stopFollowing: async () => undefined,
  };
}

async function openShared<More extends Questions>(options: StoreOptions, url: string): Promise<Storage<More>> {
  const { clock, logger } = options;
  const [{ openPostgres }, { createChangeFeed }, { createExclusive }] = await Promise.all([
    import('#daemon/storage/postgres/open-postgres.ts'),
    import('#daemon/storage/postgres/change-feed.ts'),
    import('#daemon/storage/postgres/exclusive.ts'),
  ]);
  const source = { url, name: `locid ${newUid(clock.now())}`, pulse: createPulse() };
  const database = await openPostgres({ source, clock, logger });
  const reader = createReader<More>({ source: { postgres: source }, logger });
  const feed: ChangeFeed = createChangeFeed({ source, logger });
  const { createReaderVectors } = await import('#daemon/storage/postgres/reader-vectors.ts');
  let vectors: VectorIndex | null = null;
  return {
    source: { postgres: source },
    database,
    reader,
    openVectors(model) {
      const table = sharedTable(options);
      vectors =
        table === null || 'trouble' in table
          ? createReaderVectors({ reader, modelId: () => model().modelId, trouble: table?.trouble })
          : createVectors({
              ...{ database, reader, clock, logger, model },
              folder: options.paths.vectors,
              exactLimit: options.settings.values['vectors.exact_limit'],
              shared: { ...table, isLeading: feed.isLeading },
            });
      return vectors;
    },
    follow: (listener) =>
      feed.start({
        ...listener,
        lost: database.cutOff,
        rewritten(keys) {
          listener.rewritten(keys);
          vectors?.changedElsewhere();
        },
        async lead() {
          await listener.lead();
          vectors?.changedElsewhere();
        },
      }),
    exclusive: createExclusive(source),
    isShared: true,
    behindMs: feed.behindMs,
    isLeading: feed.isLeading,
    stopFollowing: () => feed.close(),
  };
}

/** The bucket of the team's vector table; null where none is wanted, or why it cannot be used: the daemon works without it. */
function sharedTable({ settings, env }: StoreOptions): { bucket: ObjectStore } | { trouble: string } | null {
  const url = settings.values['vectors.url'];
  if (url === null) return null;
  try {
    return { bucket: readObjectStore(url, env) };
  } catch (error) {
    if (error instanceof LociError) return { trouble: error.message };
    throw error;
  }
}
