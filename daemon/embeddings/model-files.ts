// A model file that is cut short or altered fails deep inside the runtime with a text that helps nobody, or loads and gives
// nonsense. So a model that carries checksums is compared with them before it is loaded: sizes first (a truncated file is
// known without reading it), then SHA-256 (about 30 ms for 34 MB).
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ModelProblem, WorkerConfig } from './worker-messages.ts';

type Checksums = { readonly files: Readonly<Record<string, { readonly sizeBytes: number; readonly sha256: string }>> };

/** The first thing wrong with the files of a model's folder, or null. Without `checksums.json` only what must exist is looked at. */
export function problemOfModel(folder: string): ModelProblem | null {
  const checksums = readChecksums(folder);
  if (checksums === null) return problemOfStranger(folder);
  for (const [name, expected] of Object.entries(checksums.files)) {
    const sizeBytes = sizeOf(join(folder, name));
    if (sizeBytes === null) return { reason: 'missing', file: basename(name) };
    if (sizeBytes < expected.sizeBytes) return { reason: 'truncated', file: basename(name) };
    if (sizeBytes > expected.sizeBytes) return { reason: 'altered', file: basename(name) };
  }
  for (const [name, expected] of Object.entries(checksums.files)) {
    if (sha256Of(join(folder, name)) !== expected.sha256) return { reason: 'altered', file: basename(name) };
  }
  return null;
}

/** The int8 weights where there are any: as good for search, four times smaller and faster. */
export function dtypeOf(folder: string): WorkerConfig['dtype'] {
  const has = (file: string): boolean => existsSync(join(folder, 'onnx', file));
  if (has('model_quantized.onnx')) return 'q8';
  if (has('model.onnx')) return 'fp32';
  return has('model_fp16.onnx') ? 'fp16' : 'q8';
}

/** Changes whenever a file of the model does: tells whether a model that failed is worth another try. Stats only. */
export function stampOfModel(folder: string): string {
  return [folder, join(folder, 'onnx')].map(stampOfFolder).join('|');
}

function stampOfFolder(folder: string): string {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => {
        const { size, mtimeMs, ctimeMs } = statSync(join(folder, name));
        return `${name}:${size}:${mtimeMs}:${ctimeMs}`;
      })
      .join(',');
  } catch {
    return 'none';
  }
}

function problemOfStranger(folder: string): ModelProblem | null {
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    const sizeBytes = sizeOf(join(folder, name));
    if (sizeBytes === null) return { reason: 'missing', file: name };
    if (!isJson(join(folder, name))) return { reason: 'unreadable', file: name };
  }
  return null;
}

function readChecksums(folder: string): Checksums | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'checksums.json'), 'utf8')) as Checksums;
  } catch {
    return null;
  }
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

function sizeOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch {
    return null;
  }
}

/** Read in pieces: the whole file at once would leave its size in the heap of the process. */
function sha256Of(file: string): string | null {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1024 * 1024);
  try {
    const descriptor = openSync(file, 'r');
    try {
      for (;;) {
        const readBytes = readSync(descriptor, piece);
        if (readBytes === 0) return hash.digest('hex');
        hash.update(piece.subarray(0, readBytes));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
