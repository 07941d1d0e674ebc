// How the page shows texts: what is computed before anything is drawn. What a browser makes of it is for tests/browser.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diff } from '#clients/web/memory/diff-text.tsx';
import { shown } from '#clients/web/parts/text.tsx';
import { agoText, dayName } from '#clients/web/parts/time.tsx';

describe('the difference of two texts', () => {
  it('holds both whole: without what came it is the old one, without what went the new one', () => {
    const text = fc.array(fc.constantFrom('the', 'port', 'is', '8080', '9090', ' ', '\n', '。'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [a.join(' '), b.join(' ')];
        const parts = diff(before, after);
        const join = (but: string): string =>
          parts
            .filter((part) => part.kind !== but)
            .map((part) => part.text)
            .join('');
        expect([join('new'), join('gone')]).toEqual([before, after]);
      }),
    );
  });

  it('marks the words that differ and no others', () => {
    expect(diff('listens on port 8080 behind it', 'listens on port 9090 behind it')).toEqual([
      { kind: 'same', text: 'listens on port ' },
      { kind: 'gone', text: '8080' },
      { kind: 'new', text: '9090' },
      { kind: 'same', text: ' behind it' },
    ]);
  });

  it('of two very long texts is one after the other, at once', () => {
    const long = 'word '.repeat(20_000);
    expect(diff(long, `${long}x`).map((part) => part.kind)).toEqual(['gone', 'new']);
  });
});

describe('a stored text', () => {
  it('shows what cannot be seen or turns it round, and keeps lines and tabs', () => {
    expect(shown('a\u202Eb\u0007c\u200Bd\ne\tf')).toBe('a⟨202E⟩b⟨0007⟩c⟨200B⟩d\ne\tf');
  });

  it('is otherwise as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/[\p{Cc}\p{Cf}]/u.test(text));
        expect(shown(text)).toBe(text);
      }),
    );
  });
});

describe('a time', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');

  it.each([
    ['2026-11-30T11:59:40Z', 'just now'],
    ['2026-11-30T11:00:00Z', /1 hr/],
    ['2026-11-01T12:00:00Z', /29 days/],
    ['2026-11-30T13:30:00Z', /in 1 hr/],
  ])('%s', (at, says) => {
    expect(agoText(at, now)).toMatch(says);
  });

  it('of today and of yesterday says so', () => {
    expect(dayName('2026-11-30T11:00:00Z', now)).toMatch(/^Today, /);
    expect(dayName('2026-11-29T11:00:00Z', now)).toMatch(/^Yesterday, /);
    expect(dayName('2026-11-20T11:00:00Z', now)).not.toMatch(/day, .*day, /);
  });
});
