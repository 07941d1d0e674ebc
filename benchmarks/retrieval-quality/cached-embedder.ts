// The bundled model with a memory: vectors are kept in a folder below the system's temporary one, so that a second run embeds nothing.
// Used where fusion is fitted and compared; the product itself is measured through its own API.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '#daemon/embeddings/embedder.ts';

const modelName = 'bge-small-en-v1.5';
const dimensions = 384;
const queryPrefix = 'Represent this sentence for searching relevant passages: ';
const vectorBytes = dimensions * 4;
const recordBytes = 32 + vectorBytes;
const maxTokens = 256;

type Run = {
  (text: string, options: { pooling: 'cls'; normalize: boolean }): Promise<{ data: Float32Array }>;
  tokenizer: (text: string) => { input_ids: { dims: number[] } };
};

export type CachedEmbedder = Pick<Embedder, 'modelId' | 'dimensions' | 'split'> & {
  embed(texts: readonly string[], options: { purpose: 'query' | 'passage' }): Promise<Float32Array[]>;
};

export function createCachedEmbedder(folder = join(tmpdir(), 'loci-eval-cache')): CachedEmbedder {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${modelName}.vectors`);
  const splitsFile = join(folder, `${modelName}.passages.jsonl`);
  const vectors = readVectors(file);
  const splits = readSplits(splitsFile);
  let loading: Promise<Run> | null = null;
  const model = (): Promise<Run> => {
    loading ??= loadModel();
    return loading;
  };

  return {
    modelId: modelName,
    dimensions,
    async embed(texts, { purpose }) {
      const found: Float32Array[] = [];
      for (const text of texts) {
        const asked = purpose === 'query' ? queryPrefix + text : text;
        const key = hashOf(asked);
        const known =
          vectors.get(key) ??
          new Float32Array((await (await model())(asked, { pooling: 'cls', normalize: true })).data);
        if (!vectors.has(key)) {
          appendFileSync(
            file,
            Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(known.buffer, known.byteOffset, vectorBytes)]),
          );
          vectors.set(key, known);
        }
        found.push(known);
      }
      return found;
    },
    async split(text) {
      // a token is at least one character
      if (text.length < maxTokens) return [text];
      const key = hashOf(text);
      const known = splits.get(key);
      if (known !== undefined) return known;
      const { tokenizer } = await model();
      const passages = splitByTokens(text, (part) => (tokenizer(part).input_ids.dims[1] ?? 2) - 2);
      appendFileSync(splitsFile, `${JSON.stringify([key, passages])}\n`);
      splits.set(key, passages);
      return passages;
    },
  };
}

async function loadModel(): Promise<Run> {
  const { env, pipeline } = await import('@huggingface/transformers');
  env.allowRemoteModels = false;
  env.localModelPath = join(dirname(fileURLToPath(import.meta.url)), '..', 'models');
  const sessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
  return (await pipeline('feature-extraction', modelName, {
    dtype: 'q8',
    device: 'cpu',
    session_options: sessionOptions,
  })) as unknown as Run;
}

/** Passages of at most 254 tokens beside the two that the model adds, 32 of them shared with the one before. */
function splitByTokens(text: string, countTokens: (part: string) => number): string[] {
  const limit = maxTokens - 2;
  if (countTokens(text) <= limit) return [text];
  const words = text.split(/(?<=\s)/);
  const sizes = words.map((word) => Math.max(1, countTokens(word)));
  const passages: string[] = [];
  for (let start = 0; start < words.length; ) {
    let end = start;
    let tokens = 0;
    while (end < words.length && (end === start || tokens + (sizes[end] ?? 1) <= limit - 4))
      tokens += sizes[end++] ?? 1;
    passages.push(words.slice(start, end).join('').trim());
    if (end >= words.length) break;
    let shared = 0;
    let next = end;
    while (next > start + 1 && shared < 32) shared += sizes[--next] ?? 1;
    start = next;
  }
  return passages;
}

function readVectors(file: string): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  if (!existsSync(file)) return vectors;
  const bytes = readFileSync(file);
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const vector = new Float32Array(dimensions);
    Buffer.from(vector.buffer).set(bytes.subarray(at + 32, at + recordBytes));
    vectors.set(bytes.toString('hex', at, at + 32), vector);
  }
  return vectors;
}

function readSplits(file: string): Map<string, string[]> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as [string, string[]]));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
