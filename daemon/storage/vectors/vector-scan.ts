// The arithmetic of an exact search: vectors in one growable block of WebAssembly memory, compared by a SIMD loop of 40 instructions
// (ten times plain JavaScript). Memory grows in place, so that 100,000 rows never exist twice; a runtime without SIMD gets the same
// answers from JavaScript, only later.
import { vectorScanBytes } from './vector-scan-bytes.ts';

/** Rows of one call of the scan: its cosines fit a fixed region before the rows. */
export const scanBlockRows = 1024;

const pageBytes = 65_536;
/** The scan takes sixteen floats a turn: shorter rows are filled up with zeros, which add nothing. */
const turnFloats = 16;
/** Grown by 4 MB at a time: growing is cheap, and what was never written costs no memory. */
const growthPages = 64;

export type VectorScan = {
  readonly dimensions: number;
  /** Bytes of memory that the rows take. */
  sizeBytes(): number;
  /** Writes one vector (little-endian float32, `dimensions` long) into a row, making room for it. */
  writeRow(row: number, vector: Uint8Array): void;
  /** The vector in a row, as a copy. */
  readRow(row: number): Float32Array;
  setQuery(query: Float32Array): void;
  /** Cosines of the query with `rows` rows (≤ `scanBlockRows`) from `first`; the view is overwritten by the next call. */
  cosines(first: number, rows: number): Float32Array;
};

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };

/** The part of the runtime's WebAssembly used here; the types of Node 20 do not describe it. */
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly;

type WebAssemblyRuntime = {
  readonly Memory: new (size: { initial: number; maximum: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
  validate(bytes: Uint8Array): boolean;
};

type ScanFunction = (query: number, row: number, rows: number, widthBytes: number, out: number) => void;

/** Memory for vectors of one length. `simd: false` forces the JavaScript loop. */
export function createVectorScan(dimensions: number, options: { readonly simd?: boolean } = {}): VectorScan {
  const widthFloats = Math.ceil(dimensions / turnFloats) * turnFloats;
  const widthBytes = widthFloats * 4;
  const outStart = widthBytes;
  const rowsStart = outStart + scanBlockRows * 4;
  const memory = new wasm.Memory({ initial: growthPages, maximum: 65_536 });
  const scan = (options.simd === false ? null : simdScan(memory)) ?? plainScan(memory);

  function reach(row: number): number {
    const start = rowsStart + row * widthBytes;
    const missing = start + widthBytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.max(growthPages, Math.ceil(missing / pageBytes)));
    return start;
  }

  return {
    dimensions,
    sizeBytes: () => memory.buffer.byteLength,
    writeRow(row, vector) {
      const start = reach(row);
      new Uint8Array(memory.buffer, start, vector.byteLength).set(vector);
    },
    readRow: (row) => new Float32Array(memory.buffer, rowsStart + row * widthBytes, dimensions).slice(),
    setQuery(query) {
      new Float32Array(memory.buffer, 0, dimensions).set(query);
    },
    cosines(first, rows) {
      scan(0, rowsStart + first * widthBytes, rows, widthBytes, outStart);
      return new Float32Array(memory.buffer, outStart, rows);
    },
  };
}

/** The compiled loop over `memory`, or null where the runtime has no SIMD. */
function simdScan(memory: Memory): ScanFunction | null {
  const bytes = Buffer.from(vectorScanBytes, 'base64');
  if (!wasm.validate(bytes)) return null;
  const { exports } = new wasm.Instance(new wasm.Module(bytes), { loci: { memory } });
  return exports.scan as ScanFunction;
}

function plainScan(memory: Memory): ScanFunction {
  return (query, row, rows, widthBytes, out) => {
    const floats = new Float32Array(memory.buffer);
    const width = widthBytes / 4;
    for (let index = 0; index < rows; index += 1) {
      const start = row / 4 + index * width;
      let sum = 0;
      for (let at = 0; at < width; at += 1) {
        sum += (floats[query / 4 + at] as number) * (floats[start + at] as number);
      }
      floats[out / 4 + index] = sum;
    }
  };
}
