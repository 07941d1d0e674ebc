// The second half of an import, as its thread does it: staged records are stored a few at a time, each transaction noting how far it came.
// The daemon lends its right to write for one transaction after the other (daemon/storage/lent-writes.ts), so that everybody else's saves
// go between, and neither parsing nor a large document ever stops the event loop. A kill between two of them is mended by the next
// start, which goes on from the note (docs/adr/0014-moving-in-and-out.md).
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { type Change, type ChangeRow, recordChanges } from '#daemon/storage/change-log.ts';
import type { ReaderSource } from '#daemon/storage/reader-messages.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import type { AnalysedWords } from '#daemon/things/index.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import { updateImport } from '../imports.repository.ts';
import type { Staged, Staging } from '../staging.ts';
import { createTally, type Tally } from '../tally.ts';
import { applyRecord, type Pass } from './apply-record.ts';
import { wordsOf } from './things.ts';

export type ApplyRequest = {
  readonly store: ReaderSource;
  readonly importId: number;
  readonly userId: number;
  /** Where an earlier run came to. */
  readonly pass: number;
  readonly position: number;
  /** With the counts of an earlier run. */
  readonly report: ImportReport;
};

/** What the daemon knows at the moment of a transaction. */
export type SliceRequest = { readonly nowMs: number; readonly modelId: string };

/** What one transaction stored, for the daemon to publish and to announce. */
export type Slice = {
  readonly records: number;
  readonly vectors: readonly VectorChange[];
  readonly log: readonly ChangeRow[];
};

export type Applier = {
  /** Reads the next records and works out what needs no transaction; false where nothing is left. */
  prepare(): Promise<boolean>;
  /** Stores some of what is prepared, one at least, in one transaction. */
  store(request: SliceRequest): Promise<Slice>;
  report(): ImportReport;
  close(): Promise<void>;
};

const passes: readonly Pass[] = ['rows', 'memories'];
const pageRecords = 40;
const pageBytes = 2 * 2 ** 20;
/** A transaction takes no further record after so long: other writes wait for it. In a team a record takes some twenty ways over a network. */
const sliceMs = { alone: 12, shared: 100 } as const;

type Prepared = { readonly staged: Staged; readonly words: AnalysedWords | null };

/** Opens the store beside the daemon's own connection, to write only when told to. */
export async function openApplier(staging: Pick<Staging, 'page'>, request: ApplyRequest): Promise<Applier> {
  const { userId, importId, report } = request;
  let { pass, position } = request;
  let [nowMs, modelId] = [0, ''];
  const clock: Clock = { now: () => nowMs };
  const database = await openToWrite(request.store, clock);
  const context = { ...internalContext, userId };
  const longestMs = sliceMs['file' in request.store ? 'alone' : 'shared'];
  // the model may be switched while an import goes on
  const embedder = {
    get modelId() {
      return modelId;
    },
  };
  const deps = { database, clock, embedder };
  let tally = createTally(report);
  let waiting: Prepared[] = [];

  return {
    async prepare() {
      while (waiting.length === 0 && pass < passes.length) {
        const again = passes[pass] === 'memories';
        const page = staging.page(position, { records: pageRecords, bytes: pageBytes, again });
        for (const staged of page) {
          waiting.push({ staged, words: await wordsOf({ deps, userId, nowMs }, staged.record) });
        }
        if (page.length === 0) [pass, position] = [pass + 1, 0];
      }
      return waiting.length > 0;
    },

    async store(told) {
      ({ nowMs, modelId } = told);
      const name = passes[pass] as Pass;
      const counted = createTally(reportWith(report, tally));
      const slice = await database.write(context, async (trx) => {
        const startedMs = performance.now();
        const vectors: VectorChange[] = [];
        const changes: Change[] = [];
        let records = 0;
        for (const { staged, words } of waiting) {
          if (records > 0 && performance.now() - startedMs > longestMs) break;
          const writing = { deps, userId, nowMs, trx, words };
          const applied = await applyRecord(writing, staged, name);
          if (applied.outcome !== null) counted.add(String(staged.record.kind), applied.outcome);
          vectors.push(...applied.vectors);
          if (applied.change !== null) changes.push(applied.change);
          records += 1;
        }
        const reached = { pass, position: waiting[records - 1]?.staged.seq ?? position };
        const stored = { report: reportWith(report, counted), error: null };
        await updateImport(trx, importId, { ...reached, report: stored }, nowMs);
        return { records, vectors, log: await recordChanges(trx, context, clock, changes), reached };
      });
      tally = counted;
      position = slice.reached.position;
      waiting = waiting.slice(slice.records);
      const { records, vectors, log } = slice;
      return { records, vectors, log };
    },

    report: () => reportWith(report, tally),
    close: () => database.close(),
  };
}

/** A connection of this thread's own; in a team under the daemon's name, so that it takes what is stored for its own. */
async function openToWrite(store: ReaderSource, clock: Clock): Promise<Database> {
  if ('file' in store) return openDatabase({ file: store.file, clock });
  const { openPostgres } = await import('#daemon/storage/postgres/open-postgres.ts');
  return openPostgres({ source: store.postgres, clock, logger: silentLogger });
}

function reportWith(report: ImportReport, tally: Tally): ImportReport {
  const { counts, conflicts, conflictCount } = tally.result();
  return { ...report, counts, conflicts, conflict_count: conflictCount };
}
