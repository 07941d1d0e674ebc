// The second half of an import: staged records are stored a few at a time, each transaction noting how far it came. A small import is one
// transaction, so that it is stored whole or not at all at any moment; a large one would keep every other write waiting for minutes, so it
// is many, and a kill between two of them is mended by the next start, which goes on from the note (docs/adr/0014-moving-in-and-out.md).
import type { Clock } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import type { Events } from '#daemon/kernel/events.ts';
import { type Change, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import type { VectorIndex } from '#daemon/storage/vectors.ts';
import type { ImportReport } from '#shared/contract/transfer.ts';
import { type ImportRow, updateImport } from '../imports.repository.ts';
import type { Staged } from '../staging.ts';
import type { StagingThread } from '../staging-thread.ts';
import { createTally, type Tally } from '../tally.ts';
import { applyRecord, type Pass } from './apply-record.ts';
import type { ApplyDeps } from './deps.ts';
import { wordsOf } from './things.ts';

export type ApplyingDeps = ApplyDeps & {
  readonly vectors: Pick<VectorIndex, 'publish'>;
  readonly events: Events;
  readonly clock: Clock;
};

export type Applying = {
  readonly row: ImportRow;
  readonly report: ImportReport;
  readonly thread: Pick<StagingThread, 'page'>;
  readonly stagedBytes: number;
  readonly context: CallContext;
  /** Told after each transaction. */
  readonly progress: (records: number) => void;
  readonly signal: AbortSignal;
  /** Whether other daemons write there too. */
  readonly isShared: boolean;
};

const passes: readonly Pass[] = ['rows', 'memories'];
/** An import of at most so many records is one transaction. In a team it holds up the writes of all, over a network. */
const smallRecords = { alone: 1_000, shared: 200 } as const;
/** And of at most so many bytes as it is staged: it is held in memory whole. */
const smallBytes = 32 * 2 ** 20;
const chunkRecords = 40;
const chunkBytes = 2 * 2 ** 20;
/** The event loop gets its turn at least so often. */
const turnMs = 8;

type Chunk = { readonly pass: number; readonly records: readonly Staged[] };

/** Stores everything that is staged, from where the row says; answers the report with its counts. Stops between two transactions when aborted. */
export async function applyStaged(deps: ApplyingDeps, applying: Applying): Promise<ImportReport | 'stopped'> {
  const { row, report, signal } = applying;
  const tally = createTally(report);
  const most = smallRecords[applying.isShared ? 'shared' : 'alone'];
  const isSmall = row.total <= most && applying.stagedBytes <= smallBytes;
  let done = 0;
  let waiting: Chunk[] = [];
  for await (const chunk of chunks(applying)) {
    if (signal.aborted) return 'stopped';
    waiting.push(chunk);
    if (isSmall) continue;
    await store(deps, applying, waiting, tally);
    done += chunk.records.length;
    applying.progress(done);
    waiting = [];
  }
  if (waiting.length > 0) await store(deps, applying, waiting, tally);
  return reportWith(report, tally);
}

/** Pages in order, then again the memories that point to others or are here already. */
async function* chunks({ row, thread }: Applying): AsyncGenerator<Chunk> {
  for (let pass = row.pass; pass < passes.length; pass += 1) {
    const again = passes[pass] === 'memories';
    for (let after = pass === row.pass ? row.position : 0; ; ) {
      const records = await thread.page({ after, records: chunkRecords, bytes: chunkBytes, again });
      const last = records.at(-1);
      if (last === undefined) break;
      yield { pass, records };
      after = last.seq;
    }
  }
}

async function store(
  deps: ApplyingDeps,
  { row, report, context }: Applying,
  waiting: readonly Chunk[],
  tally: Tally,
): Promise<void> {
  const { userId } = context;
  const base = { deps, userId, nowMs: deps.clock.now() };
  const words = new Map<Staged, Awaited<ReturnType<typeof wordsOf>>>();
  for (const { records } of waiting) {
    for (const staged of records) words.set(staged, await wordsOf(base, staged.record));
  }
  const last = waiting.at(-1) as Chunk;
  const position = { pass: last.pass, position: last.records.at(-1)?.seq ?? 0 };
  const turns = createTurns();
  const { vectors, log } = await deps.database.write(context, async (trx) => {
    const changed: VectorChange[] = [];
    const changes: Change[] = [];
    for (const { pass, records } of waiting) {
      for (const staged of records) {
        const { record } = staged;
        const name = passes[pass] as Pass;
        const writing = { ...base, trx, words: words.get(staged) ?? null };
        const applied = await applyRecord(writing, staged, name);
        if (applied.outcome !== null) tally.add(String(record.kind), applied.outcome);
        changed.push(...applied.vectors);
        if (applied.change !== null) changes.push(applied.change);
        await turns();
      }
    }
    await updateImport(
      trx,
      row.id,
      { ...position, report: { report: reportWith(report, tally), error: null } },
      base.nowMs,
    );
    return { vectors: changed, log: await recordChanges(trx, context, deps.clock, changes) };
  });
  deps.vectors.publish(vectors);
  for (const change of log) deps.events.announce(changeToEvent(change));
}

function reportWith(report: ImportReport, tally: Tally): ImportReport {
  const { counts, conflicts, conflictCount } = tally.result();
  return { ...report, counts, conflicts, conflict_count: conflictCount };
}

/** SQLite answers without a turn of the event loop; whoever works long gives one by himself. */
function createTurns(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = performance.now();
  };
}
