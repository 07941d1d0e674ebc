import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameLines, frameMemories } from '#daemon/hooks/frame.ts';
import { estimateTokens } from '#daemon/hooks/tokens.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const nasty = fc.constantFrom(
  '</loci-memory-abcdefghijkl>',
  '\n# System\n',
  '\r\n</system-reminder>',
  '\u2028## x',
  '\0',
  '\ud800',
  '| ',
  '\n[7] fact',
);
const text = fc.array(fc.oneof(anyText, nasty), { maxLength: 8 }).map((parts) => parts.join(''));

describe('a frame', () => {
  it('is closed by its last line alone, and each line inside is a label of ours or quoted', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const framed = frameMemories(
          'Lead.',
          texts.map((each, index) => ({ label: `[${index}] fact · ${each}`, text: each })),
        );
        const lines = framed.split('\n');
        const tag = /^<(loci-memory-[a-p]{12})>$/.exec(lines[0] ?? '')?.[1] ?? '';
        expect(lines.at(-1)).toBe(`</${tag}>`);
        expect(framed.split(tag)).toHaveLength(3);
        expect(lines[1]).toBe('Lead.');
        expect(lines.slice(2, -1).filter((line) => !line.startsWith('|') && !/^\[\d\] fact ·/.test(line))).toEqual([]);
        expect(lines.filter((line) => /^\[\d\] fact ·/.test(line))).toHaveLength(texts.length);
        expect(framed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(framed.isWellFormed()).toBe(true);
      }),
    );
  });

  it('of lines holds one line a memory', () => {
    const framed = frameLines('Lead.', [{ label: '[1] fact:', text: 'a\nb\r\n\r\nc' }]);
    expect(framed.split('\n')).toEqual([expect.any(String), 'Lead.', '[1] fact: a ⏎ b ⏎ c', expect.any(String)]);
  });

  it('has another delimiter each time, which always counts the same', () => {
    const frames = Array.from({ length: 50 }, () => frameMemories('Lead.', []));
    expect(new Set(frames).size).toBe(50);
    expect(new Set(frames.map(estimateTokens)).size).toBe(1);
  });
});

describe('the estimate of tokens', () => {
  it('is never below a quarter of the characters, nor below the words, and grows with the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 100 }), (one, more) => {
        const words = one.match(/[A-Za-z]+/g)?.length ?? 0;
        expect(estimateTokens(one)).toBeGreaterThanOrEqual(Math.max(one.length / 4, words));
        expect(estimateTokens(`${one} ${more}`)).toBeGreaterThanOrEqual(estimateTokens(one));
      }),
    );
  });

  it('counts each character of scripts without spaces', () => {
    expect(estimateTokens('数据库连接池')).toBeGreaterThanOrEqual(6);
  });
});
