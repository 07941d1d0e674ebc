// Files are written by others, and come damaged. Whatever is in one, its reader goes through it to the end: it tells what it could not
// take, and throws nothing but a refusal in words.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readers } from '#daemon/transfer/readers/all-readers.ts';
import { jsonItems } from '#daemon/transfer/readers/json-items.ts';
import { linesOf, maxLineBytes } from '#daemon/transfer/readers/lines.ts';
import type { Reader } from '#daemon/transfer/readers/reader.ts';
import { createReaderTools } from '#daemon/transfer/readers/reader-tools.ts';
import { sampleOf } from '#daemon/transfer/readers/sample.ts';
import { LociError } from '#shared/errors.ts';
import { claudeMemDatabase, forgetfulDatabase, packedFolder } from '../../support/foreign-stores.ts';

const at = '2026-01-05T08:00:00.000Z';
const uid = '01920000-0000-7000-8000-000000000001';

/** A good file of each kind. */
const good: Record<string, Buffer> = {
  loci: Buffer.from(
    [
      { kind: 'loci_export', format: 1, loci_version: '0.1.0', exported_at: at, counts: { memory: 1 } },
      { kind: 'memory', uid, content: 'said', occurred_at: at, created_at: at, updated_at: at },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  ),
  'nan-forget': Buffer.from(
    JSON.stringify([{ id: 'a', content: 'b "c" \\ d', tier: 'core', tags: ['x'], created_at: at }]),
  ),
  mem0: Buffer.from(
    JSON.stringify({
      results: [{ id: 'a', memory: 'tea', hash: 'h', metadata: { a: [1, { b: '}' }] } }],
      relations: [],
    }),
  ),
  'server-memory': Buffer.from(
    '{"type":"entity","name":"A","entityType":"person","observations":["o"]}\n{"type":"relation","from":"A","to":"A","relationType":"is"}\n',
  ),
  'claude-code': Buffer.from(
    packedFolder({ 'MEMORY.md': '- x', 'a.md': '---\nname: n\ndescription: d\ntype: user\n---\nbody' }),
  ),
  'basic-memory': Buffer.from(
    packedFolder({ 'a.md': '---\npermalink: p\ntags: [a, b]\n---\n[[b]] #t', 'b.md': '[[a]]' }),
  ),
  obsidian: Buffer.from(packedFolder({ 'a.md': '[[b|c]]', 'b/b.md': '---\naliases: [z]\n---\n![[a]]' })),
  forgetful: forgetfulDatabase(),
  'claude-mem': claudeMemDatabase(),
};

const folder = mkdtempSync(join(tmpdir(), 'loci-readers-'));
const file = join(folder, 'upload');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = (source: Reader['source']) =>
  createReaderTools(source, { userUid: uid, project: null, nowMs: Date.parse(at) }, () => undefined);

/** Reads to the end; answers what came out, or the refusal. */
function readAll(reader: Reader, bytes: Buffer) {
  writeFileSync(file, bytes);
  try {
    return [...reader.read({ path: file, sizeBytes: bytes.length }, tools(reader.source))];
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
}

/** Bytes with some cut out, some put in, some turned over. */
const damage = fc.array(
  fc.record({
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.integer({ min: 0, max: 40 }),
    put: fc.uint8Array({ maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function damaged(bytes: Buffer, wounds: readonly { place: number; cut: number; put: Uint8Array }[]): Buffer {
  let result = bytes;
  for (const { place, cut, put } of wounds) {
    const from = Math.floor(place * result.length);
    result = Buffer.concat([result.subarray(0, from), put, result.subarray(from + cut)]);
  }
  return result;
}

describe('every reader', () => {
  it('knows a good file of its own, and takes it without a complaint', () => {
    for (const reader of readers) {
      const bytes = good[reader.source] ?? Buffer.alloc(0);
      writeFileSync(file, bytes);
      const sample = sampleOf(file);
      expect([reader.source, readers.find((one) => one.detects(sample))?.source]).toEqual([
        reader.source,
        reader.source,
      ]);
      const items = readAll(reader, bytes);
      expect(items).not.toBeInstanceOf(LociError);
      expect((items as object[]).filter((item) => 'problem' in item)).toEqual([]);
      expect((items as object[]).some((item) => 'record' in item)).toBe(true);
    }
  });

  it('goes to the end of a damaged file, whatever is in it', () => {
    for (const reader of readers) {
      const isDatabase = ['forgetful', 'claude-mem'].includes(reader.source);
      fc.assert(
        fc.property(damage, (wounds) => {
          const items = readAll(reader, damaged(good[reader.source] ?? Buffer.alloc(0), wounds));
          if (items instanceof LociError) expect(items.code).toBe('invalid_input');
        }),
        { numRuns: isDatabase ? 25 : 60 },
      );
    }
  }, 60_000);

  it('goes to the end of any bytes, any text and any JSON', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
      fc.array(fc.json({ maxDepth: 4 }), { maxLength: 6 }).map((lines) => Buffer.from(lines.join('\n'))),
      fc
        .array(
          fc.object({
            key: fc.constantFrom(
              'type',
              'name',
              'id',
              'memory',
              'content',
              'results',
              'path',
              'text',
              'kind',
              'observations',
            ),
            maxDepth: 3,
          }),
          { maxLength: 6 },
        )
        .map((records) => Buffer.from(JSON.stringify(records))),
    );
    for (const reader of readers) {
      fc.assert(
        fc.property(anything, (bytes) => {
          const items = readAll(reader, bytes);
          if (!(items instanceof LociError)) expect(Array.isArray(items)).toBe(true);
        }),
        { numRuns: 40 },
      );
    }
  }, 60_000);
});

describe('lines and lists', () => {
  it('are the same however the bytes are cut into blocks', () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ' ')),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (lines, size) => {
        const bytes = Buffer.from(lines.join('\n'));
        const blocks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const read = [...linesOf(blocks)].map((line) => ('text' in line ? [line.line, line.text] : line));
        const wanted = lines.flatMap((line, index) =>
          line.trim() === '' ? [] : [[index + 1, index === 0 ? line.replace(/^\uFEFF/, '') : line]],
        );
        expect(read).toEqual(wanted);
      }),
    );
  });

  it('a line that is too long is told, and the next one is read', () => {
    const long = Buffer.alloc(maxLineBytes + 1, 0x61);
    const lines = [...linesOf([long, Buffer.from('\n{"next":1}')])];
    expect(lines).toEqual([
      { line: 1, problem: expect.stringMatching(/32 MB/) },
      { line: 2, text: '{"next":1}' },
    ]);
  });

  it('a list gives each of its members, whatever is in them, at its root or under a key', () => {
    const member = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.constantFrom(0, 1, 2),
        (members, isKeyed, indent) => {
          const plain = JSON.parse(JSON.stringify(members)) as object[];
          writeFileSync(file, JSON.stringify(isKeyed ? { other: [[1], '[{'], results: plain } : plain, null, indent));
          const items = [...jsonItems(file, ['results'], () => undefined)];
          expect(items.map((item) => ('value' in item ? item.value : item))).toEqual(plain);
        },
      ),
      { numRuns: 200 },
    );
  });
});
