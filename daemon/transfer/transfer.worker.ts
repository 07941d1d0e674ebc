// The thread of an import. It blocks as it likes (a line of 8 MB takes tenths of a second to parse and to look through) while the daemon
// goes on answering; the daemon takes the checked records from it a page at a time.
import { parentPort } from 'node:worker_threads';
import { errorToProblem, LociError } from '#shared/errors.ts';
import { stageUpload } from './stage-upload.ts';
import { openStaging, type Staging } from './staging.ts';
import type { FromStager, ToStager } from './worker-messages.ts';

const progressEveryMs = 200;

let staging: Staging | null = null;

parentPort?.on('message', (message: ToStager) => {
  try {
    answer(message);
  } catch (error) {
    if (error instanceof LociError) send({ kind: 'problem', problem: errorToProblem(error) });
    else send({ kind: 'failure', failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function answer(message: ToStager): void {
  if (message.kind === 'stage') send({ kind: 'staged', result: stageUpload(message.request, tellNowAndThen()) });
  else if (message.kind === 'open') {
    staging = openStaging(message.staging, false);
    send({ kind: 'opened' });
  } else {
    const { after, records, bytes, kind } = message.page;
    const limits = { records, bytes, ...(kind === null ? {} : { kind }) };
    send({ kind: 'page', page: staging?.page(after, limits) ?? [] });
  }
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
