import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { createVectorScan, scanBlockRows } from '#daemon/storage/vectors/vector-scan.ts';
import { vectorScanBytes } from '#daemon/storage/vectors/vector-scan-bytes.ts';
import { cosineOf, createVectorSource } from '../../support/vector-store.ts';

describe('the vector scan', () => {
  it('runs the bytes that its source compiles to', async () => {
    const source = readFileSync(new URL('../../../daemon/storage/vectors/vector-scan.wat', import.meta.url), 'utf8');
    const compiler = await wabt();
    const program = compiler.parseWat('vector-scan.wat', source, { simd: true });
    expect(vectorScanBytes).toBe(Buffer.from(program.toBinary({}).buffer).toString('base64'));
  });

  it.each([3, 16, 50, 384])(
    'gives the cosines of plain arithmetic at %i dimensions, with SIMD and without',
    (dimensions) => {
      const next = createVectorSource(dimensions);
      const rows = Array.from({ length: 100 }, next);
      const query = next();
      const answers = [true, false].map((simd) => {
        const scan = createVectorScan(dimensions, { simd });
        rows.forEach((row, at) => {
          scan.writeRow(at, new Uint8Array(row.buffer));
        });
        scan.setQuery(query);
        return [...scan.cosines(0, rows.length)];
      });
      for (const answer of answers) {
        answer.forEach((cosine, at) => {
          expect(cosine).toBeCloseTo(cosineOf(query, rows[at] as Float32Array), 5);
        });
      }
      const ranked = answers.map((answer) =>
        answer.map((_, at) => at).sort((a, b) => Number(answer[b]) - Number(answer[a])),
      );
      expect(ranked[1]).toEqual(ranked[0]);
    },
  );

  it('keeps its rows while its memory grows', () => {
    const scan = createVectorScan(384);
    const next = createVectorSource(384);
    const [first, last] = [next(), next()];
    scan.writeRow(0, new Uint8Array(first.buffer));
    const sizeBytes = scan.sizeBytes();
    scan.writeRow(20_000, new Uint8Array(last.buffer));
    expect(scan.sizeBytes()).toBeGreaterThan(sizeBytes);
    expect(scan.readRow(0)).toEqual(first);
    expect(scan.readRow(20_000)).toEqual(last);
    scan.setQuery(last);
    expect(scan.cosines(20_000 - scanBlockRows + 1, scanBlockRows).at(-1)).toBeCloseTo(1, 5);
  });
});
