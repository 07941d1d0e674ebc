// The second half of an import: staged records are stored a few at a time, each transaction noting how far it came. Where the store is a
// file, the import's thread does it with a connection of its own, and the daemon lends it the right to write for one transaction after
// the other (daemon/storage/lent-writes.ts): everybody else's saves go between, and neither parsing nor a large document ever stops the
// event loop. A team's database is asked over a network, which stops nobody, so there the daemon does it. A kill between two
// transactions is mended by the next start, which goes on from the note (docs/adr/0014-moving-in-and-out.md).
import type { Clock } from '#daemon/kernel/clock.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import { type Change, type ChangeRow, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { Database } from '#daemon/storage/sqlite.ts';
import type { AnalysedWords } from '#daemon/things/index.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import { updateImport } from '../imports.repository.ts';
import type { Staged } from '../staging.ts';
import { createTally, type Tally } from '../tally.ts';
import type { PageRequest } from '../worker-messages.ts';
import { applyRecord, type Pass } from './apply-record.ts';
import { wordsOf } from './things.ts';

export type ApplyRequest = {
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
  report(): Promise<ImportReport>;
};

const passes: readonly Pass[] = ['rows', 'memories'];
const pageRecords = 40;
const pageBytes = 2 * 2 ** 20;
type Prepared = { readonly staged: Staged; readonly words: AnalysedWords | null };

export type ApplierDeps = {
  readonly database: Database;
  /** A transaction takes no further record after so long: other writes wait for it. */
  readonly sliceMs: number;
  readonly page: (page: PageRequest) => Promise<readonly Staged[]>;
};

export function createApplier({ database, sliceMs, page }: ApplierDeps, request: ApplyRequest): Applier {
  const { userId, importId, report } = request;
  let { pass, position } = request;
  let [nowMs, modelId] = [0, ''];
  const clock: Clock = { now: () => nowMs };
  const context = { ...internalContext, userId };
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
        const staged = await page({ after: position, records: pageRecords, bytes: pageBytes, again });
        for (const one of staged) {
          waiting.push({ staged: one, words: await wordsOf({ deps, userId, nowMs }, one.record) });
        }
        if (staged.length === 0) [pass, position] = [pass + 1, 0];
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
          if (records > 0 && performance.now() - startedMs > sliceMs) break;
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

    report: async () => reportWith(report, tally),
  };
}

function reportWith(report: ImportReport, tally: Tally): ImportReport {
  const { counts, conflicts, conflictCount } = tally.result();
  return { ...report, counts, conflicts, conflict_count: conflictCount };
}
