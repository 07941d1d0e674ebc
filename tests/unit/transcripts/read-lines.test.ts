import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '#daemon/transcripts/read-lines.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function linesOf(content: string | Buffer, options: { from?: number; maxBytes?: number } = {}) {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  try {
    return [...readLines(descriptor, { from: 0, linesBefore: 0, maxBytes: 1_000_000, ...options })].map(
      ({ bytes, ...rest }) => ({ ...rest, text: bytes?.toString('utf8') ?? null }),
    );
  } finally {
    closeSync(descriptor);
  }
}

describe('lines of a file', () => {
  it('are what lies between line breaks, whatever their number and length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', ' ') })),
        fc.integer({ min: 1, max: 3 }),
        (lines, times) => {
          const stretched = lines.map((line, index) => (index % 3 === 0 ? line.repeat(times * 20_000) : line));
          const found = linesOf(stretched.map((line) => `${line}\n`).join(''), { maxBytes: 64_000_000 });
          expect(found.map(({ text }) => text)).toEqual(stretched);
          expect(found.map(({ line }) => line)).toEqual(stretched.map((_, index) => index + 1));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('say where they end, so that reading can go on there', () => {
    const content = 'one\nzwölf\nthree';
    const all = linesOf(content);
    expect(all.map(({ text, isClosed }) => [text, isClosed])).toEqual([
      ['one', true],
      ['zwölf', true],
      ['three', false],
    ]);
    expect(linesOf(content, { from: all[1]?.end ?? 0 }).map(({ text }) => text)).toEqual(['three']);
  });

  it('that are too long are passed over, and the next ones are read', () => {
    const found = linesOf(`a\n${'x'.repeat(700_000)}\nb\n`, { maxBytes: 600_000 });
    expect(found.map(({ text, line }) => [line, text])).toEqual([
      [1, 'a'],
      [2, null],
      [3, 'b'],
    ]);
  });
});
