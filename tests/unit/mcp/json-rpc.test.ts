import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOfLongLine, readLine } from '#daemon/mcp/json-rpc.ts';
import { createLineReader } from '#daemon/mcp/line-reader.ts';

describe('a line', () => {
  it('keeps of a request what JSON-RPC has and nothing else', () => {
    const line = Buffer.from('{"id":1,"extra":true,"jsonrpc":"2.0","params":null,"method":"ping"}');
    expect(readLine(line)).toEqual({ message: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  });

  it('that is blank is no message', () => {
    expect(readLine(Buffer.from(' \r\t'))).toBeNull();
  });

  it('that nests deeper than any stack is answered, not thrown', () => {
    const line = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(200_000)}`);
    expect(readLine(line)).toMatchObject({ error: { code: -32700 } });
  });

  it('of whatever bytes is answered, not thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const read = readLine(Buffer.from(bytes));
        expect(read === null || 'error' in read || 'message' in read).toBe(true);
      }),
    );
  });
});

describe('the id of a line that is too long', () => {
  it('is never taken from inside its parameters', () => {
    const line = Buffer.from('{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"x":"…","id":5}}}');
    expect(idOfLongLine(line, line)).toBeNull();
  });

  it('is never taken from inside a text', () => {
    const line = Buffer.from('{"params":{"x":"…,\\"id\\":5}"},"jsonrpc":"2.0"}');
    expect(idOfLongLine(line, line)).toBeNull();
  });
});

describe('the reader of lines', () => {
  it('gives the same lines wherever the chunks are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ''))),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (texts, cuts) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
          const lines: string[] = [];
          const reader = createLineReader({
            maxLineBytes: 1_000,
            onLine: (line) => void lines.push(line.toString()),
            onTooLong: () => void lines.push('too long'),
          });
          for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
            const end = at + (cuts[cut % cuts.length] ?? 1);
            reader.push(bytes.subarray(at, end));
            at = end;
          }
          expect(lines).toEqual(texts);
        },
      ),
    );
  });

  it('skips a line over its limit, keeps both ends of it, and goes on', () => {
    const seen: string[] = [];
    const reader = createLineReader({
      maxLineBytes: 1_000,
      onLine: (line) => void seen.push(line.toString()),
      onTooLong: (head, tail) => void seen.push(`${head.subarray(0, 5)}…${tail.subarray(-3)}`),
    });
    reader.push(Buffer.from(`start${'x'.repeat(2_000)}`));
    for (let part = 0; part < 5; part += 1) reader.push(Buffer.from('y'.repeat(700)));
    reader.push(Buffer.from('end\nnext\n'));
    expect(seen).toEqual(['start…end', 'next']);
  });
});
