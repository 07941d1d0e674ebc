// The thread of an import. It blocks as it likes (a line of 8 MB takes tenths of a second to parse and to look through) while the daemon
// goes on answering; the daemon takes the checked records from it a page at a time.
import { parentPort } from 'node:worker_threads';
import { sqliteProblem } from '#daemon/storage/sqlite-errors.ts';
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
    const known = sqliteProblem(error);
    if (known instanceof LociError) send({ kind: 'problem', problem: errorToProblem(known) });
    else send({ kind: 'failure', failure: known instanceof Error ? (known.stack ?? known.message) : String(known) });
  }
});

function answer(message: ToStager): void {
  if (message.kind === 'stage') send({ kind: 'staged', result: stageUpload(message.request, tellNowAndThen()) });
  else if (message.kind === 'open') {
    staging = openStaging(message.staging, false);
    send({ kind: 'opened' });
  } else {
    const { after, ...limits } = message.page;
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
