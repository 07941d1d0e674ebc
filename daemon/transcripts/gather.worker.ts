// The entry of the thread that reads transcripts: one request, one answer, then it ends and its memory with it.
import { parentPort, workerData } from 'node:worker_threads';
import { errorToProblem, LociError, type Problem } from '#shared/errors.ts';
import { type Gathered, type GatherRequest, gatherStatements } from './gather.ts';

export type FromGatherer =
  | { readonly gathered: Gathered }
  | { readonly problem: Problem }
  | { readonly failure: string };

function answer(): FromGatherer {
  try {
    return { gathered: gatherStatements(workerData as GatherRequest) };
  } catch (error) {
    if (error instanceof LociError) return { problem: errorToProblem(error) };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.postMessage(answer());
