import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '#clients/cli/render/unified-diff.ts';

const shown = (before: string, after: string): string[] =>
  unifiedDiff(before, after).map(({ sign, text }) => `${sign}${text}`);

it('shows what goes and comes with two lines around it, and a mark between parts that are apart', () => {
  const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`);
  const changed = lines.with(1, 'other').toSpliced(10, 0, 'new');
  expect(shown(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`)).toEqual([
    ...[' line 0', '-line 1', '+other', ' line 2', ' line 3'],
    '@',
    ...[' line 8', ' line 9', '+new', ' line 10', ' line 11'],
  ]);
});

it('of any two texts takes out and puts in exactly what makes the one the other', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 14 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const diff = unifiedDiff(before, after);
      const count = (text: string, line: string): number => text.split('\n').filter((one) => one === line).length;
      for (const line of ['a', 'b', 'c', '{', '}']) {
        const gone = diff.filter(({ sign, text }) => sign === '-' && text === line).length;
        const come = diff.filter(({ sign, text }) => sign === '+' && text === line).length;
        expect(count(before, line) - gone + come).toBe(count(after, line));
      }
      if (before === after) expect(diff).toEqual([]);
    }),
  );
});

it('texts of many thousand different lines are shown as replaced, at once', () => {
  const many = (word: string): string => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}`).join('\n');
  expect(unifiedDiff(many('a'), many('b'))).toHaveLength(10_000);
});
