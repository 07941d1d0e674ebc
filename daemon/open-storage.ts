// Which engine a store stands on: the two folders of a laptop, or, with `storage.url`, the PostgreSQL database that a team's daemons share.
// What follows from it is decided here once; nothing above knows.
import { newUid } from '#daemon/kernel/ids.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import { createVectors } from '#daemon/storage/create-vectors.ts';
import { aloneIsExclusive, type Exclusive } from '#daemon/storage/exclusive.ts';
import type { VectorModel } from '#daemon/storage/lance-facts.ts';
import type { ChangeFeed, FeedListener } from '#daemon/storage/postgres/change-feed.ts';
import type { Questions, Reader } from '#daemon/storage/reader.ts';
import type { ReaderSource } from '#daemon/storage/reader-messages.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { StoreOptions } from './store.ts';

export type Storage<More extends Questions> = {
  readonly database: Database;
  readonly reader: Reader<More>;
  /** The vectors of the active model, which is asked anew for each change. */
  openVectors(model: () => VectorModel): VectorIndex;
  /** Begins to hear of other daemons, and tells when this one does the upkeep for all: alone it does at once. */
  follow(listener: FeedListener): Promise<void>;
  /** For other threads that read. */
  readonly source: ReaderSource;
  /** Whether the database is a team's: no file of this machine then. */
  readonly isShared: boolean;
  /** What one daemon of all may do at a time. */
  readonly exclusive: Exclusive;
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
  const database = await openDatabase({ file: paths.database, clock });
  const source = { file: paths.database };
  const reader = createReader<More>({ source, logger });
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
    isLeading: () => true,
    stopFollowing: async () => undefined,
  };
}

async function openShared<More extends Questions>(
  { clock, logger }: StoreOptions,
  url: string,
): Promise<Storage<More>> {
  const [{ openPostgres }, { createChangeFeed }, { createReaderVectors }, { createExclusive }] = await Promise.all([
    import('#daemon/storage/postgres/open-postgres.ts'),
    import('#daemon/storage/postgres/change-feed.ts'),
    import('#daemon/storage/postgres/reader-vectors.ts'),
    import('#daemon/storage/postgres/exclusive.ts'),
  ]);
  const source = { url, name: `locid ${newUid(clock.now())}` };
  const database = await openPostgres({ source, clock, logger });
  const reader = createReader<More>({ source: { postgres: source }, logger });
  const feed: ChangeFeed = createChangeFeed({ source, logger });
  return {
    source: { postgres: source },
    database,
    reader,
    openVectors: (model) => createReaderVectors({ reader, modelId: () => model().modelId }),
    follow: (listener) => feed.start(listener),
    exclusive: createExclusive(source),
    isShared: true,
    isLeading: feed.isLeading,
    stopFollowing: () => feed.close(),
  };
}
