// Another model for everything, while searches go on with the old one. The new vectors are made beside the old ones; whatever is saved or
// changed meanwhile lacks its mark and is embedded for the new model too; when nothing lacks it, the set is checked, and one transaction
// that finds nothing missing makes it the active one. Killed anywhere, the next start goes on where it was; what fails changes nothing.
import { internalContext } from '#daemon/kernel/context.ts';
import {
  type ModelChoice,
  type ModelRun,
  readRun,
  switchModel,
  writeRun,
  writeWish,
} from '#daemon/storage/vectors/store-model.ts';
import { LociError } from '#shared/errors.ts';
import { askNamedModel } from './ask-named-model.ts';
import { faultOfVectors } from './check-vectors.ts';
import type { ReEmbeddingDeps, Target } from './deps.ts';
import { embedPage } from './embed-page.ts';
import { dropVectorsExcept } from './left-vectors.ts';
import { markLacking, mendVectors } from './mend.ts';
import { modelOfStore } from './model-of-store.ts';
import { aborted, pause } from './waiting.ts';

export type ReEmbeddingStatus = {
  readonly state: 'done' | 'running' | 'waiting' | 'failed';
  readonly model: string;
  readonly nextModel: string | null;
  readonly things: number;
  readonly done: number;
  readonly why: string | null;
  readonly startedAtMs: number | null;
};

export type ReEmbedding = {
  /** Goes on with what a former life began, or begins what the settings ask for. */
  begin(): Promise<void>;
  /** Embeds everything with the model of a choice, which holds from now on. Throws where that model cannot be used. */
  start(choice: ModelChoice, batchSize: number): Promise<void>;
  status(): Promise<ReEmbeddingStatus>;
  /** The model that the store has by now: where another daemon has changed it, this one searches with that too. */
  follow(modelId: string | null): void;
  /** Goes on with what another daemon of the team left, now that this one does the upkeep. */
  resume(): void;
  /** What holds at present: the settings, or a later choice by hand. */
  chosen(): ModelChoice;
  /** For health: what goes on, without a question to anybody; null where nothing does. */
  present(): { readonly run: ModelRun; readonly why: string | null } | null;
  stop(): Promise<void>;
};

const pageSize = 64;
const defaultBatchSize = 20;
const retryAfterMs = 30_000;

export function createReEmbedding(deps: ReEmbeddingDeps): ReEmbedding {
  const { database, reader, active, clock, logger } = deps;
  let run: ModelRun | null = null;
  let target: Target | null = deps.wanted;
  let why: string | null = null;
  let chosen = deps.chosen;
  let working: Promise<void> | null = null;
  let abort = new AbortController();
  let isBusy = false;
  let isFollowing = false;

  async function setRun(next: ModelRun | null): Promise<void> {
    await database.write(internalContext, (trx) => writeRun(trx, next));
    run = next;
  }

  function work(task: (signal: AbortSignal) => Promise<void>): void {
    abort = new AbortController();
    const { signal } = abort;
    isBusy = true;
    working = task(signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        logger.error({ err: error }, 're-embedding stopped');
        why = 'It stopped unexpectedly: the log says why. The next start, or `loci re-embed`, goes on with it.';
      })
      .finally(() => {
        isBusy = false;
      });
  }

  async function halt(): Promise<void> {
    abort.abort();
    await working;
    working = null;
  }

  async function startRun(next: Target, batchSize: number): Promise<void> {
    const { modelId } = next.embedder;
    const release = await deps.exclusive();
    if (release === null) throw elsewhere();
    const known = await readRun(database.db);
    const isSame = known?.state === 'building' && known.to === modelId;
    const startedAtMs = isSame ? known.startedAtMs : clock.now();
    target = next;
    why = null;
    await setRun({ state: 'building', from: active.modelId, to: modelId, choice: next.choice, startedAtMs });
    logger.info({ from: active.modelId, to: modelId, resumed: isSame }, 'everything is being embedded anew');
    work((signal) => build(next, batchSize, signal).finally(release));
  }

  async function build({ embedder, choice }: Target, batchSize: number, signal: AbortSignal): Promise<void> {
    const { modelId } = embedder;
    await dropVectorsExcept(database, [active.modelId, modelId], signal);
    while (!signal.aborted) {
      const isDone = await patiently(signal, async () => {
        await embedder.warm(); // tells how long its vectors are, and whether it can be used at all
        if ((await embedMissing(embedder, batchSize, signal)) > 0 || signal.aborted) return false;
        const fault = await faultOfVectors(deps, embedder, signal);
        if (fault !== null) return refuse(fault, signal);
        return switchModel(database, { modelId, source: choice });
      });
      if (!isDone) continue;
      if (run?.state !== 'failed') takeOver(embedder);
      return;
    }
  }

  /** One round over everything that lacks a vector; answers how many things that were. */
  async function embedMissing(model: Target['embedder'], batchSize: number, signal: AbortSignal): Promise<number> {
    const { modelId } = model;
    let found = 0;
    for (let after = 0; !signal.aborted; ) {
      const { rows } = await reader.ask('reembedPage', { modelId, after, limit: pageSize });
      const last = rows.at(-1);
      if (last === undefined) break;
      await embedPage(deps, rows, { model, batchSize, signal });
      why = null;
      after = last.rowId;
      found += rows.length;
    }
    return found;
  }

  /** A model that is away is waited for; the old one serves on. */
  async function patiently(signal: AbortSignal, step: () => Promise<boolean>): Promise<boolean> {
    try {
      return await step();
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof LociError) || error.code !== 'unavailable') throw error;
      why = error.message;
      await pause(deps.retryMs ?? retryAfterMs, signal);
      return false;
    }
  }

  /** What the new model gave is not used, and not kept: half of it might be good, and nobody could tell which. */
  async function refuse(fault: string, signal: AbortSignal): Promise<true> {
    logger.error({ fault }, 'the new vectors are not used');
    await dropVectorsExcept(database, [active.modelId], signal);
    if (run !== null) await setRun({ ...run, state: 'failed', why: fault });
    return true;
  }

  function takeOver(embedder: Target['embedder']): void {
    const from = active.modelId;
    active.switchTo(embedder);
    deps.vectors.modelChanged();
    run = null;
    target = null;
    why = null;
    deps.pending.wake(); // whatever was saved in the moment of the switch
    logger.info({ from, to: embedder.modelId }, 'searches use the new model');
  }

  /** Another daemon has embedded everything anew: its vectors are searched from here on. */
  async function followTo(modelId: string): Promise<void> {
    await halt();
    const { embedder, source } = await modelOfStore(database, modelId, deps.open);
    if (source !== null) chosen = source;
    takeOver(embedder);
    // what this daemon has saved with the former model since
    await database.write(internalContext, (trx) => markLacking(trx, modelId));
    deps.pending.wake();
  }

  async function resumeLeft(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await pause(deps.retryMs ?? retryAfterMs, signal)) {
      const left = await readRun(database.db);
      if (left === null || left.state === 'failed' || left.to === active.modelId) return;
      const release = await deps.exclusive();
      if (release === null) continue; // it is being done
      try {
        const { choice } = left;
        run = left;
        target = { embedder: deps.open(choice), choice };
        return await build(target, defaultBatchSize, signal);
      } finally {
        await release();
      }
    }
  }

  /** The former model cannot be had: the new one serves, and what it lacks is pending like a save without a model. */
  async function fill(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await Promise.race([deps.pending.run(), aborted(signal)]); // a backlog of hours must not hold up an end
      if (signal.aborted) return;
      const { waiting } = await reader.ask('reembedCount', { modelId: active.modelId });
      if (waiting === 0) return setRun(null);
      await pause(deps.retryMs ?? retryAfterMs, signal);
    }
  }

  return {
    async begin() {
      // in a team another daemon may be at it
      if (deps.isShared) return;
      run = await readRun(database.db);
      if (target !== null) return startRun(target, defaultBatchSize);
      if (run?.state === 'partial' && run.to === active.modelId) return work(fill);
      if (run !== null) await setRun(null); // the settings want the present model again
    },
    async start(choice, batchSize) {
      const isKnown = target !== null && run?.state === 'building' && isModelOf(target, choice);
      if (isKnown && why === null) return;
      if (!isBusy) await refuseElsewhere(deps);
      const embedder = isKnown && target !== null ? target.embedder : deps.open(choice);
      await tryOut(embedder);
      await halt();
      if (target !== null && target.embedder !== embedder) await target.embedder.close();
      target = null;
      await database.write(internalContext, (trx) => writeWish(trx, { choice, settings: deps.settings }));
      chosen = choice;
      if (embedder.modelId !== active.modelId) return startRun({ embedder, choice }, batchSize);
      await embedder.close();
      if (run?.state === 'partial') return work(fill);
      await setRun(null);
      await mendVectors(deps, active);
    },
    async status() {
      const { things, done, waiting } = await reader.ask('reembedCount', { modelId: run?.to ?? active.modelId });
      const building = run !== null && run.state !== 'partial' ? run : null;
      return {
        state: stateOf(run, why, waiting),
        model: active.modelId,
        nextModel: building?.to ?? null,
        things,
        done: building === null ? things - waiting : done,
        why: run?.why ?? why,
        startedAtMs: run?.startedAtMs ?? null,
      };
    },
    follow(modelId) {
      const isOwn = modelId === active.modelId || modelId === target?.embedder.modelId;
      if (modelId === null || isOwn || isFollowing) return;
      isFollowing = true;
      followTo(modelId)
        .catch((error: unknown) => logger.warn({ err: error }, 'the new model of the team could not be followed'))
        .finally(() => {
          isFollowing = false;
        });
    },
    resume() {
      if (!isBusy) work(resumeLeft);
    },
    chosen: () => chosen,
    present: () => (run === null ? null : { run, why: run.why ?? why }),
    async stop() {
      await halt();
      await target?.embedder.close();
    },
  };
}

async function refuseElsewhere({ exclusive }: ReEmbeddingDeps): Promise<void> {
  const release = await exclusive();
  if (release === null) throw elsewhere();
  await release();
}

function elsewhere(): LociError {
  return new LociError(
    'conflict',
    'Another daemon of the team embeds everything anew at present: wait until it is done.',
  );
}

/** Whoever asks by hand learns at once that a model is away, or gives what is not its own length. */
function tryOut(model: Target['embedder']): Promise<void> {
  return askNamedModel(async () => {
    await model.warm();
    await model.embed(['a text to try the model with'], { lane: 'save', purpose: 'passage' });
  });
}

function stateOf(run: ModelRun | null, why: string | null, waiting: number): ReEmbeddingStatus['state'] {
  if (run?.state === 'failed') return 'failed';
  if (run?.state === 'building') return why === null ? 'running' : 'waiting';
  return waiting === 0 ? 'done' : 'running';
}

function isModelOf({ choice }: Target, other: ModelChoice): boolean {
  return JSON.stringify(choice) === JSON.stringify(other);
}
