// The first half of an import: the whole file is read, cleaned, checked and staged before anything is stored, so that a bad record on the
// last line finds a store in which nothing has happened yet. Runs in a thread of its own.
import { statSync } from 'node:fs';
import { issuesToError } from '#daemon/kernel/refusals.ts';
import { openReadOnly } from '#daemon/storage/open-read-only.ts';
import type { ReaderSource } from '#daemon/storage/reader-messages.ts';
import type { ExportRecord } from '#daemon/storage/records/fields.ts';
import { recordKinds } from '#daemon/storage/records/kinds.ts';
import { type ImportReport, type SourceKind, sourceKinds } from '#shared/contract/transfer.ts';
import { LociError } from '#shared/errors.ts';
import { checkDependencies, checkReferences, matchExisting, type StoreSide } from './check-staged.ts';
import { compareWithStore } from './compare-with-store.ts';
import { cleanTexts, redactRecord } from './format/clean-record.ts';
import { completeHistory } from './format/complete-history.ts';
import { recordSchemas } from './format/record-schemas.ts';
import { refsOf } from './format/refs.ts';
import { createProblems, type Problems } from './problems.ts';
import { readerOf, readers } from './readers/all-readers.ts';
import { privateNotice } from './readers/foreign-notes.ts';
import type { Item, Reader } from './readers/reader.ts';
import { createReaderTools } from './readers/reader-tools.ts';
import { sampleOf } from './readers/sample.ts';
import { openStaging, type Staging } from './staging.ts';

export type StageRequest = {
  readonly upload: string;
  readonly staging: string;
  readonly store: ReaderSource;
  readonly userId: number;
  readonly userUid: string;
  readonly from: SourceKind | null;
  readonly project: string | null;
  readonly skipInvalid: boolean;
  readonly dryRun: boolean;
  /** What becomes of a text that looks like a credential. */
  readonly secrets: 'redact' | 'refuse';
  readonly nowMs: number;
};

export type StageResult = {
  /** False where something is wrong and nothing may be stored. */
  readonly isGood: boolean;
  readonly total: number;
  /** Of a dry run: what a run would do. Of any other: zeros, which applying fills. */
  readonly report: ImportReport;
};

/** Reads and checks an upload. Throws `invalid_input` for a file that nobody can read. */
export function stageUpload(request: StageRequest, progress: (bytes: number) => void): StageResult {
  const reader = readerFor(request);
  const staging = openStaging(request.staging, true);
  const db = openReadOnly(request.store);
  try {
    const side: StoreSide = { db, userId: request.userId, userUid: request.userUid };
    const problems = createProblems();
    const taken = takeAll(reader, request, {
      staging,
      problems,
      progress,
      refusesSecrets: request.secrets === 'refuse',
    });
    matchExisting(staging, side);
    checkReferences(staging, side, problems, { bad: taken.bad, left: taken.left, tellAll: request.skipInvalid });
    checkDependencies(staging, side, problems);
    staging.seal();
    const isGood = problems.count === 0 || request.skipInvalid;
    const compared = request.dryRun ? compareWithStore(staging, side) : { counts: {}, conflicts: [], conflictCount: 0 };
    const counts = staging.counts();
    return {
      isGood,
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      report: {
        source: reader.source,
        counts: compared.counts,
        problems: [...problems.list].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
        problem_count: problems.count,
        conflicts: compared.conflicts,
        conflict_count: compared.conflictCount,
        notices: [...taken.notices],
        redactions: taken.redactions,
        nul_stripped: taken.nuls,
      },
    };
  } finally {
    db.close();
    staging.close();
  }
}

function readerFor({ upload, from }: StageRequest): Reader {
  const sample = sampleOf(upload);
  if (statSync(upload).size === 0)
    throw new LociError('invalid_input', 'The file is empty: there is nothing to import.');
  const reader = from === null ? readers.find((one) => one.detects(sample)) : readerOf(from);
  if (reader !== undefined && sample.tables !== null && !reader.detects(sample)) {
    throw new LociError('invalid_input', `The file is a SQLite database, and none of ${reader.source}.`);
  }
  if (reader !== undefined) return reader;
  throw new LociError(
    'invalid_input',
    `This file is none that Loci knows by sight: say what wrote it, with \`from\` as one of ${sourceKinds.join(', ')}.`,
  );
}

type Taken = {
  /** What is not good, and what is left out on purpose: by kind and uid. */
  readonly bad: Set<string>;
  readonly left: Set<string>;
  readonly notices: Set<string>;
  redactions: number;
  nuls: number;
};
type Into = {
  readonly staging: Staging;
  readonly problems: Problems;
  readonly progress: (bytes: number) => void;
  readonly refusesSecrets: boolean;
};

function takeAll(reader: Reader, request: StageRequest, into: Into): Taken {
  const taken: Taken = { bad: new Set(), left: new Set(), notices: new Set(), redactions: 0, nuls: 0 };
  const tools = createReaderTools(reader.source, request, into.progress);
  const upload = { path: request.upload, sizeBytes: statSync(request.upload).size };
  for (const item of reader.read(upload, tools)) {
    if ('notice' in item) taken.notices.add(item.notice);
    else if ('problem' in item) into.problems.add({ line: item.line, kind: null, uid: null, problem: item.problem });
    else take(item, taken, into, reader.source);
  }
  return taken;
}

function take(
  item: Extract<Item, { record: unknown }>,
  taken: Taken,
  { staging, problems, refusesSecrets }: Into,
  source: SourceKind,
): void {
  const { value, nuls, isEmptied } = cleanTexts(item.record);
  taken.nuls += nuls;
  const found = check(value);
  if (typeof found === 'string' && isEmptied && source !== 'loci') {
    taken.left.add(`${value.kind} ${value.uid}`);
    taken.notices.add(privateNotice.notice);
    return;
  }
  const cleaned = typeof found === 'string' ? null : redactRecord(found);
  const hasSecret = refusesSecrets && cleaned !== null && cleaned.redactions > 0;
  const checked = hasSecret ? 'looks as if it holds a secret: take it out of the file' : found;
  const uid = typeof value.uid === 'string' ? value.uid : null;
  const kind = typeof value.kind === 'string' ? value.kind : null;
  if (typeof checked === 'string') {
    const where = item.at === undefined ? '' : `${item.at}: `;
    problems.add({ line: item.line, kind, uid, problem: `${where}${checked}` });
    if (kind !== null && uid !== null) taken.bad.add(`${kind} ${uid}`);
    return;
  }
  const { record, redactions } = cleaned as NonNullable<typeof cleaned>;
  taken.redactions += redactions;
  const twin = staging.add(record, { line: item.line, isTimed: item.isTimed !== false }, refsOf(record));
  // other programs say things twice; an export of ours does not
  if (twin === null || source !== 'loci') return;
  const first = twin.twinLine === null ? '' : `, first on line ${twin.twinLine}`;
  problems.add({ line: item.line, kind, uid, problem: `is in the file twice${first}` });
}

/** The record with all its fields, or what is wrong with it. */
function check(given: ExportRecord): ExportRecord | string {
  const value =
    given.occurred_at === undefined && given.kind === 'memory' ? { ...given, occurred_at: given.created_at } : given;
  const kind = recordKinds.find((known) => known === value.kind);
  if (kind === undefined) return `is of no kind that Loci knows: \`kind\` must be one of ${recordKinds.join(', ')}`;
  const schema = recordSchemas[kind];
  const result = schema.safeParse(value);
  if (!result.success) return issuesToError(result.error.issues, schema, value).message;
  const record = result.data as ExportRecord;
  return kind === 'memory' ? completeHistory(record) : record;
}
