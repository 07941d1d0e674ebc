// The thread of the embedding model. `session.run` blocks the thread that calls it for the whole run (50 ms for 200 tokens),
// so on the main thread it would stop every socket. One text a run: the weights are quantised dynamically, so a text embedded
// within a batch gets another vector than alone, and batches are no faster on a CPU.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FeatureExtractionPipeline, Tensor } from '@huggingface/transformers';
import { problemOfModel } from './model-files.ts';
import { type CountTokens, cutToBudget, isSurelyShort, maxPassageTokens, splitIntoPassages } from './passages.ts';
import { passGate, type RunGate } from './run-gate.ts';
import type { ModelProblem, WorkerConfig, WorkerReply, WorkerRequest, WorkerStart } from './worker-messages.ts';

const port = parentPort;
if (port !== null) {
  // from the first moment, so that a thread which is still loading ends as well
  port.on('message', (request: WorkerRequest) => request.kind === 'end' && process.exit(0));
  void serve(workerData as WorkerStart, (reply, moved = []) => port.postMessage(reply, moved));
}

type Answer = (reply: WorkerReply, moved?: ArrayBuffer[]) => void;

async function serve({ config, gate }: WorkerStart, answer: Answer): Promise<void> {
  const folder = join(config.modelsFolder, config.name);
  const damage = config.allowDownload ? null : problemOfModel(folder);
  if (damage !== null) return answer({ kind: 'unusable', problem: damage });
  if (config.task === 'rank') return serveRanking(config, gate, answer);
  const model = await passGate(gate, () => load(config)).catch(() => null);
  if (model === null) return answer({ kind: 'unusable', problem: unreadable(config, folder) });

  const countTokens: CountTokens = (text) => model.tokenizer.tokenize(text).length;
  const budgetAfter = (prefix: string): number =>
    maxPassageTokens - model.tokenizer.tokenize('', { add_special_tokens: true }).length - countTokens(prefix);
  const passageBudget = budgetAfter(config.passagePrefix);
  const queryBudget = budgetAfter(config.queryPrefix);

  const embed = async (text: string, purpose: 'query' | 'passage'): Promise<Float32Array> => {
    const [prefix, budget] =
      purpose === 'query' ? [config.queryPrefix, queryBudget] : [config.passagePrefix, passageBudget];
    const cut = isSurelyShort(text) || countTokens(text) <= budget ? text : cutToBudget(text, countTokens, budget);
    return run(prefix + cut);
  };
  const run = async (text: string): Promise<Float32Array> => {
    const output = await passGate(gate, () => model([text], { pooling: config.pooling, normalize: true }));
    return Float32Array.from(output.data as Float32Array);
  };

  port?.on('message', async (request: WorkerRequest) => {
    if (request.kind === 'end' || request.kind === 'rank') return;
    try {
      if (request.kind === 'split') {
        const passages = splitIntoPassages(request.text, countTokens, passageBudget);
        return answer({ kind: 'passages', id: request.id, passages });
      }
      if (request.kind === 'first') {
        const passages = splitIntoPassages(request.text, countTokens, passageBudget);
        const vector = await run(config.passagePrefix + (passages[0] ?? ''));
        return answer({ kind: 'first', id: request.id, passages, vector }, [vector.buffer as ArrayBuffer]);
      }
      const vector = await embed(request.text, request.purpose);
      answer({ kind: 'vector', id: request.id, vector }, [vector.buffer as ArrayBuffer]);
    } catch {
      answer({ kind: 'failed', id: request.id });
    }
  });
  answer({ kind: 'ready' });
}

/** A cross-encoder: question and text go through the model as one pair. */
async function serveRanking(config: WorkerConfig, gate: RunGate, answer: Answer): Promise<void> {
  const loaded = await passGate(gate, () => loadRanking(config)).catch(() => null);
  const folder = join(config.modelsFolder, config.name);
  if (loaded === null) return answer({ kind: 'unusable', problem: unreadable(config, folder) });
  const { tokenizer, model } = loaded;
  port?.on('message', async (request: WorkerRequest) => {
    if (request.kind !== 'rank') return;
    try {
      const { logits } = (await passGate(gate, () =>
        model(tokenizer(request.query, { text_pair: request.text, truncation: true, max_length: maxPairTokens })),
      )) as { logits: Tensor };
      // one number a pair, or of two classes the second, which is "it answers"
      const score = Number((logits.data as Float32Array).at(-1));
      answer({ kind: 'score', id: request.id, score: 1 / (1 + Math.exp(-score)) });
    } catch {
      answer({ kind: 'failed', id: request.id });
    }
  });
  answer({ kind: 'ready' });
}

async function loadRanking(config: WorkerConfig) {
  const { AutoModelForSequenceClassification, AutoTokenizer } = await prepareLibrary(config);
  const [tokenizer, model] = [
    await AutoTokenizer.from_pretrained(localName),
    await AutoModelForSequenceClassification.from_pretrained(localName, {
      dtype: config.dtype,
      device: 'cpu',
      ...quiet,
    }),
  ];
  return { tokenizer, model };
}

async function load(config: WorkerConfig): Promise<FeatureExtractionPipeline> {
  const { pipeline } = await prepareLibrary(config);
  const model = await pipeline('feature-extraction', config.allowDownload ? config.name : localName, {
    dtype: config.dtype,
    device: 'cpu',
    ...quiet,
  });
  await model(['warm'], { pooling: config.pooling, normalize: true });
  return model;
}

/** The library, told where the model lies and whether it may be fetched. */
async function prepareLibrary(config: WorkerConfig) {
  const library = await import('@huggingface/transformers');
  const { env } = library;
  env.allowRemoteModels = config.allowDownload;
  if (config.source !== undefined) env.remoteHost = config.source;
  env.localModelPath = config.allowDownload ? config.modelsFolder : localPlace;
  env.cacheDir = config.modelsFolder;
  env.useFSCache = config.allowDownload;
  if (!config.allowDownload) {
    env.useCustomCache = true;
    env.customCache = filesOf(join(config.modelsFolder, config.name));
  }
  return library;
}

/** More threads are no faster for one text, and a spinning pool takes the machine from everybody else. */
const quiet = {
  session_options: {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false, // a plan is kept for each length of text, for no gain
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  },
};

/** What cross-encoders are trained with. */
const maxPairTokens = 512;

/** What the library calls a model of this machine: it takes no name with, say, a space in it. */
const localName = 'model';
const localPlace = '/loci/';

/**
 * The files of a folder, handed to the library as its cache. Left to find the weights itself, it also reads the whole file into
 * memory, piece by piece behind the first runs, though the runtime opens it by its path: 35 MB more for the life of the process.
 */
function filesOf(folder: string) {
  return {
    // asked for `/loci/model/config.json`, then for `https://…/model/resolve/main/config.json`
    async match(name: string) {
      const [, file] = /\/model\/(?:resolve\/main\/)?(.+)$/.exec(name) ?? [];
      const path = file === undefined ? '' : join(folder, file);
      if (!existsSync(path)) return undefined;
      return path.endsWith('.json') ? new Response(await readFile(path)) : path;
    },
    put: async () => undefined,
  };
}

function unreadable(config: WorkerConfig, folder: string): ModelProblem {
  const found = problemOfModel(folder);
  if (config.allowDownload && found?.reason === 'missing') return { reason: 'not fetched', file: found.file };
  if (found !== null) return found;
  const file = config.dtype === 'q8' ? 'model_quantized.onnx' : 'model.onnx';
  const isThere = existsSync(join(folder, 'onnx', file));
  return { reason: config.allowDownload && !isThere ? 'not fetched' : 'unreadable', file };
}
