// Any model in the layout of transformers.js: a folder on this machine, or, where the setting allows it, an id on the hub.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Embedder } from './embedder.ts';
import { prefixVersion, traitsOf } from './known-models.ts';
import { createLocalEmbedder } from './local-model.ts';
import { dtypeOf } from './model-files.ts';
import type { ModelThreadDeps } from './model-thread.ts';

export type HuggingfaceOptions = {
  /** An absolute folder, or a name below `modelsFolder`, or (with `allowDownload`) an id as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Where named models lie and fetched ones are kept. */
  readonly modelsFolder: string;
  readonly allowDownload?: boolean | undefined;
  /** A mirror of the hub. */
  readonly source?: string | undefined;
  readonly workerFile?: string | undefined;
};

/** An embedder over a transformers.js model; a model that is missing or damaged shows in `state()` and at the first text. */
export function createHuggingfaceEmbedder(deps: ModelThreadDeps, options: HuggingfaceOptions): Embedder {
  const place = isAbsolute(options.model)
    ? { modelsFolder: dirname(options.model), name: basename(options.model) }
    : { modelsFolder: options.modelsFolder, name: options.model };
  const folder = join(place.modelsFolder, place.name);
  const traits = traitsOf(place.name);
  const dtype = dtypeOf(folder);
  // what lies on this machine is never asked for on the network
  const allowDownload = options.allowDownload === true && !isAbsolute(options.model) && !isWhole(folder);
  return createLocalEmbedder(deps, {
    modelId: `huggingface:${nameInId(options.model)}:${dtype}:${prefixVersion}`,
    dimensions: hiddenSizeOf(folder) ?? traits.dimensions,
    workerFile: options.workerFile,
    ...(allowDownload ? { loadTimeoutMs: fetchTimeoutMs } : {}),
    fix: allowDownload
      ? "check the network and the name in 'embedding.model', or copy the model's folder to this machine and name that."
      : "put the model's files back (config.json, tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx), or name another folder in 'embedding.model'.",
    config: {
      ...place,
      dtype,
      pooling: traits.pooling,
      queryPrefix: traits.queryPrefix,
      passagePrefix: traits.passagePrefix,
      allowDownload,
      source: options.source === undefined ? undefined : `${options.source.replace(/\/+$/, '')}/`,
    },
  });
}

/** Folders of two models may have one name; that of the folder above tells them apart, and is the same on every machine where the rest is not. */
function nameInId(model: string): string {
  return isAbsolute(model) ? resolve(model).split(sep).slice(-2).join('/') : model;
}

/** For what is fetched: a slow line may need this long for a model. */
const fetchTimeoutMs = 60 * 60_000;

/** False for a folder that an interrupted download left behind. */
function isWhole(folder: string): boolean {
  const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', join('onnx', 'model_quantized.onnx')];
  return files.every((file) => existsSync(join(folder, file)));
}

function hiddenSizeOf(folder: string): number | null {
  try {
    const { hidden_size: size } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return Number.isInteger(size) && size > 0 ? size : null;
  } catch {
    return null;
  }
}
