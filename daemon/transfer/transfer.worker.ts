// The thread of an import. It blocks as it likes (a line of 8 MB takes tenths of a second to parse, to look through and to file in the
// keyword index) while the daemon goes on answering; it writes to the store only when the daemon lends it the right to.
import { parentPort } from 'node:worker_threads';
import { sqliteProblem } from '#daemon/storage/sqlite-errors.ts';
import { errorToProblem, LociError } from '#shared/errors.ts';
import { type Applier, openApplier } from './apply/applier.ts';
import { stageUpload } from './stage-upload.ts';
import { openStaging } from './staging.ts';
import type { FromStager, ToStager } from './worker-messages.ts';

const progressEveryMs = 200;

let applier: Applier | null = null;

parentPort?.on('message', (message: ToStager) => {
  answer(message).then(send, (error: unknown) => {
    const known = sqliteProblem(error);
    if (known instanceof LociError) send({ kind: 'problem', problem: errorToProblem(known) });
    else send({ kind: 'failure', failure: known instanceof Error ? (known.stack ?? known.message) : String(known) });
  });
});

async function answer(message: ToStager): Promise<FromStager> {
  if (message.kind === 'stage') return { kind: 'staged', result: stageUpload(message.request, tellNowAndThen()) };
  if (message.kind === 'open') {
    applier = await openApplier(openStaging(message.staging, false), message.request);
    return { kind: 'opened' };
  }
  if (applier === null) throw new Error('an import is stored that was never opened');
  if (message.kind === 'prepare') return { kind: 'prepared', more: await applier.prepare() };
  if (message.kind === 'store') return { kind: 'stored', slice: await applier.store(message.request) };
  return { kind: 'report', report: applier.report() };
}

function tellNowAndThen(): (bytes: number) => void {
  let toldAtMs = 0;
  return (bytes) => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs < progressEveryMs) return;
    toldAtMs = nowMs;
    send({ kind: 'progress', bytes });
  };
}

function send(message: FromStager): void {
  parentPort?.postMessage(message);
}
