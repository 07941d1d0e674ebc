// The main thread's hold on the model's thread: starts it at the first request, again after a crash, and holds back when that does
// not help. A thread that dies takes nobody's work with it: a request under way is repeated once, because most crashes are not the
// text's fault, and refused the second time, because some are.
// A damaged model is not tried again until its files change: no loop of loading 34 MB, and a mended file works without a restart.
import { join } from 'node:path';
import type { Clock } from '#daemon/kernel/clock.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { LociError } from '#shared/errors.ts';
import { createBackoff } from './backoff.ts';
import type { EmbedderState } from './embedder.ts';
import { stampOfModel } from './model-files.ts';
import type { ModelProblem, WorkerConfig } from './worker-messages.ts';
import { type Answer, type Ask, type Ending, type Session, startSession } from './worker-session.ts';

export type ModelThreadDeps = { readonly clock: Clock; readonly logger: Logger };

export type ModelThreadOptions = {
  readonly workerFile: string;
  readonly config: WorkerConfig;
  /** The model in a sentence; `embedding model` unless given. */
  readonly what?: string;
  /** A sentence that says how to mend a model whose files are damaged. */
  readonly fix: string;
  readonly runTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
};

export type ModelThread = {
  /** Rejects with `unavailable` when the model cannot be used, or not with this text. */
  ask(request: Ask): Promise<Exclude<Answer, { kind: 'failed' }>>;
  warm(): Promise<void>;
  state(): EmbedderState;
  /** Ends the thread at once; whatever waits for it is refused. */
  close(): Promise<void>;
};

/** Crashes in a row, without an answer between them, after which the thread is given a rest. */
const crashesInARow = 3;

export function createModelThread(deps: ModelThreadDeps, options: ModelThreadOptions): ModelThread {
  const folder = join(options.config.modelsFolder, options.config.name);
  const { what = 'embedding model' } = options;
  const keepsStopping = `The thread of the ${what} keeps stopping; it is tried again within a minute, and the log of the daemon says more.`;
  const backoff = createBackoff();
  let session: Session | null = null;
  let isLoaded = false;
  let crashes = 0;
  let failure: { readonly error: LociError; readonly stamp: string | null } | null = null;
  let closed = false;

  return {
    async ask(request) {
      for (let attempt = 1; ; attempt += 1) {
        const current = await running();
        const answer = await current.ask(request).catch((ending: Ending) => ended(current, ending));
        if (answer !== null) {
          crashes = 0;
          backoff.succeeded();
          if (answer.kind === 'failed') throw unavailable(`The ${what} failed on a text; it was skipped.`);
          return answer;
        }
        if (attempt === 2) throw unavailable(`The ${what} stopped twice on one text; it was skipped.`);
      }
    },
    warm: async () => void (await running()),
    state() {
      if (closed) return { status: 'down', why: 'The daemon is stopping.' };
      if (failure !== null) return { status: 'down', why: failure.error.message };
      if (session === null) return { status: 'ok', why: 'The model is loaded when it is first needed.' };
      return isLoaded ? { status: 'ok' } : { status: 'degraded', why: 'The model is being loaded.' };
    },
    async close() {
      closed = true;
      await session?.end();
    },
  };

  /** The thread, loaded; a new one where there is none, unless it is too early for that. */
  async function running(): Promise<Session> {
    if (closed) throw unavailable(stopping);
    if (session === null && failure !== null && !isWorthAnotherTry(failure.stamp)) throw failure.error;
    const stamp = session === null ? stampOfModel(folder) : null;
    session ??= startSession({ runTimeoutMs: 60_000, loadTimeoutMs: 120_000, ...options });
    const current = session;
    if (options.config.allowDownload && !isLoaded && !(await isSettledSoon(current.ready)))
      throw unavailable(beingFetched);
    try {
      await current.ready;
    } catch (ending) {
      throw notLoaded(current, ending as Ending, stamp);
    }
    isLoaded = true;
    failure = null;
    return current;
  }

  function isWorthAnotherTry(stamp: string | null): boolean {
    if (backoff.remainingMs(deps.clock.now()) > 0) return false;
    return stamp === null || stamp !== stampOfModel(folder);
  }

  /** Many may wait for one loading: the first to learn of its end writes it down. */
  function notLoaded(current: Session, ending: Ending, stamp: string | null): LociError {
    if (closed) return unavailable(stopping);
    if (session !== current) return failure?.error ?? unavailable(keepsStopping);
    session = null;
    const error = ending.why === 'unusable' ? damaged(options, ending.problem) : unavailable(keepsStopping);
    rest(error, ending.why === 'unusable' && !options.config.allowDownload ? stamp : null);
    deps.logger.error({ model: options.config.name, ending }, `the ${what} cannot be loaded`);
    return error;
  }

  /** A loaded thread has ended under a request; null asks for another attempt. */
  function ended(current: Session, ending: Ending): null {
    if (closed) throw unavailable(stopping);
    if (session !== current) return null;
    session = null;
    isLoaded = false;
    crashes += 1;
    deps.logger.error({ model: options.config.name, ending, crashes }, `the thread of the ${what} ended`);
    if (crashes >= crashesInARow) rest(unavailable(keepsStopping), null);
    return null;
  }

  function rest(error: LociError, stamp: string | null): void {
    isLoaded = false;
    failure = { error, stamp };
    backoff.failed(deps.clock.now());
  }
}

/** A model that is fetched may take minutes: nobody's save waits for it. */
const fetchPatienceMs = 1_000;
const beingFetched = 'The embedding model is being fetched: texts are embedded when it is there.';

/** Whether loading has ended, well or not, within a moment. */
async function isSettledSoon(ready: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), fetchPatienceMs);
  });
  const settled = ready.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

const stopping = 'The daemon is stopping; the text was not embedded.';

const saidOf: Readonly<Record<ModelProblem['reason'], string>> = {
  missing: 'is missing',
  truncated: 'is cut short',
  altered: 'is damaged',
  unreadable: 'cannot be read as a model',
  'not fetched': 'could not be fetched',
};

function damaged(
  { config, fix, what = 'embedding model' }: ModelThreadOptions,
  { reason, file }: ModelProblem,
): LociError {
  const name = config.name.split(/[/\\]/).at(-1);
  return unavailable(`The file '${file}' of the ${what} '${name}' ${saidOf[reason]}: ${fix}`);
}

function unavailable(message: string): LociError {
  return new LociError('unavailable', message);
}
