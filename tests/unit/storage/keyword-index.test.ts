import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexTextOf, queryWords } from '#daemon/storage/keyword-index.ts';
import { camelParts, exactWords, plainWords, spaced } from '#daemon/storage/keywords/words.ts';

const words = (text: string) => queryWords(text).map(({ word }) => word);
const source = { title: null, texts: [], labels: [], names: [], dates: [] };

describe('the words of a query', () => {
  it('leaves stop words out, unless there is nothing else', () => {
    expect(words('What is the port of the runner?')).toEqual(['port', 'runner']);
    expect(words('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('is empty for a text without a letter or digit', () => {
    for (const text of ['', ' \t', '"', '***', '()', '-', '🚀', '\u200b']) expect(queryWords(text)).toEqual([]);
  });

  it('quotes every word, so that no syntax of the index is ever reached', () => {
    for (const { match } of queryWords('a" OR title:x NEAR(b c, 2) ^col* -minus AND')) {
      expect(match).toMatch(/^"[^"]+"$/);
    }
  });

  it('quotes whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { match } of queryWords(text)) expect(match).toMatch(/^"[\p{L}\p{N}\p{M}\p{Script=Han} ]+"$/u);
      }),
    );
  });

  it('asks for an identifier whole as well as for its parts', () => {
    const asked = queryWords('where is std::vector used');
    expect(asked.filter(({ exact }) => exact)).toHaveLength(1);
    expect(asked.filter(({ exact }) => !exact).map(({ word }) => word)).toEqual(['std', 'vector', 'used']);
  });

  it('asks for neighbouring characters of an unspaced script two by two', () => {
    expect(words('再起動')).toEqual(['再 起', '起 動']);
    expect(words('再')).toEqual(['再']);
  });

  it('reads no more than 64 words', () => {
    expect(queryWords(Array.from({ length: 500 }, (_, index) => `word${index}`).join(' '))).toHaveLength(64);
  });

  it('compares full-width letters and typographic apostrophes with plain ones', () => {
    expect(words('Ｄｏｃｋｅｒ')).toEqual(['docker']);
    expect(words('Melanie’s')).toEqual(words("Melanie's"));
  });
});

describe('the text of the index', () => {
  it('writes a date as ISO and in words, an author by name', () => {
    const { meta } = indexTextOf({ ...source, names: ['Ada'], dates: [new Date(2026, 10, 30, 12).getTime()] });
    expect(meta).toContain('2026-11-30');
    expect(meta).toContain('30 November 2026');
    expect(meta).toContain('Ada');
  });

  it('is empty where nothing is given', () => {
    expect(indexTextOf({ ...source, texts: [null, ''] })).toEqual({ title: '', body: '', labels: '', meta: '' });
  });

  it('holds every exact word that the same text as a query asks for', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { body } = indexTextOf({ ...source, texts: [text] });
        for (const word of exactWords(text)) expect(body.split(' ')).toContain(word);
      }),
    );
  });
});

describe('words of a text', () => {
  it('sets the characters of unspaced scripts apart and keeps what stands between them', () => {
    expect(spaced('再gen7後').split(' ').filter(Boolean)).toEqual(['再', 'gen7', '後']);
    expect(plainWords('再gen7後')).toEqual(['gen7']);
  });

  it('splits camel case, and leaves other words alone', () => {
    expect(camelParts('parseHttpUrl')).toEqual(['parse', 'http', 'url']);
    expect(camelParts('HTTPServer')).toEqual(['http', 'server']);
    expect(camelParts('Plain LOUD lower snake_case')).toEqual([]);
  });

  it('tells identifiers that differ in punctuation alone apart', () => {
    const names = ['c++', 'c#', '.c', 'a.b', 'a-b', 'a_b', 'a/b', 'a::b', '#42', '@42', '--force', 'dev@host.test'];
    const spelled = names.map((name) => exactWords(name)[0]);
    expect(new Set(spelled).size).toBe(names.length);
    for (const word of spelled) expect(word).toMatch(/^[a-z0-9]+zq$/);
  });

  it('takes no plain prose for an identifier', () => {
    expect(exactWords('Hey! How are you... fine: yes, (really) "quoted" don\'t?')).toEqual([]);
  });

  it('finds the last step of a path, and a path without its line number', () => {
    const stored = exactWords('see daemon/storage/sqlite.ts:42.');
    for (const asked of ['daemon/storage/sqlite.ts', 'sqlite.ts', 'daemon/storage/sqlite.ts:42']) {
      expect(stored).toContain(exactWords(asked)[0]);
    }
  });
});
