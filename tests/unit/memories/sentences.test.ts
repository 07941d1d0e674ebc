import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctions } from '#daemon/memories/duplicates/guard.ts';
import { countSentences, uniteSentences } from '#daemon/memories/sentences.ts';

describe('united sentences', () => {
  it('say each thing once, in the order given', () => {
    const united = uniteSentences([
      'We deploy with Argo. Reviews come first.',
      'we deploy with argo! Tuesdays are best.',
      'Reviews  come first',
    ]);
    expect(united).toBe('We deploy with Argo. Reviews come first.\nTuesdays are best.');
  });

  it.each([
    ['a number', 'Use port 8080.', 'Use port 8081.'],
    ['a version', 'Pin Node 20.11.1.', 'Pin Node 20.11.2.'],
    ['a negation', 'Do run it.', 'Do not run it.'],
    ['the case of a name', 'Call LOAD_USER first.', 'Call load_user first.'],
    ['a quoted text', 'The button says "Save".', 'The button says "save".'],
    ['a path', 'It is in src/a.ts.', 'It is in src/b.ts.'],
  ])('are all kept where they differ in %s', (_what, one, other) => {
    expect(uniteSentences([one, other])).toBe(`${one}\n${other}`);
  });

  it('never take a code block apart', () => {
    const code = 'Run this:\n```sh\nmake\nmake\n}\n```\nThen wait.\n    indented();\n    indented();';
    expect(uniteSentences([code, `${code}\nDone.`])).toBe(`${code}\nDone.`);
  });

  it('keep a text alone as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const kept = uniteSentences([text]);
        // a sentence that the text itself says twice is said once
        expect(text.trim().length).toBeGreaterThanOrEqual(kept.length);
        if (countSentences(text) === 1) expect(kept).toBe(text.trim());
      }),
    );
  });

  it('lose no word and no distinction, in any order, and united again are the same', () => {
    const sentence = fc
      .array(fc.constantFrom('deploy', 'port', '8080', '8081', 'not', 'load_user', 'Argo', 'on', 'v1.2'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((words) => `${words.join(' ')}.`);
    const text = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const united = uniteSentences(texts);
        const kinds = (given: readonly string[]) => [...new Set(given.flatMap(distinctions))].sort();
        const words = (given: string) => [...new Set(given.toLowerCase().match(/[\w.]*\w/g))].sort();
        expect(kinds([united])).toEqual(kinds(texts));
        expect(words(united)).toEqual(words(texts.join('\n')));
        expect(uniteSentences([united])).toBe(united);
      }),
    );
  });
});

describe('counting', () => {
  it.each([
    ['One. Two! Three?', 3],
    ['Version 1.2.3 is out.', 1],
    ['---\n\n', 0],
  ])('%j has %i sentences', (text, count) => {
    expect(countSentences(text)).toBe(count);
  });
});
