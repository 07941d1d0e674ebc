import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { featuresOfThings } from '#daemon/storage/reader-queries/features.ts';
import { recentAnswer } from '#daemon/storage/reader-queries/recent-answers.ts';
import { createSearchableStore, type SearchableStore } from '../../support/searchable-store.ts';

let store: SearchableStore;
let reader: Sqlite.Database;

beforeEach(async () => {
  store = await createSearchableStore();
  reader = new Sqlite(store.database.raw.name, { readonly: true });
});
afterEach(async () => {
  reader.close();
  await store.database.close();
});

describe('an answer of the reader', () => {
  it('is given again to the same question, and computed anew after a write of the other connection', () => {
    let computed = 0;
    const ask = (question: object): number =>
      recentAnswer(reader, question, () => {
        computed += 1;
        return computed;
      });
    expect([ask({ text: 'a' }), ask({ text: 'a' }), ask({ text: 'b' })]).toEqual([1, 1, 2]);
    store.add({ text: 'anything' });
    expect([ask({ text: 'a' }), ask({ text: 'b' })]).toEqual([3, 4]);
  });

  it('is let go of when many other questions came after it', () => {
    let computed = 0;
    const ask = (text: string): number =>
      recentAnswer(reader, { text }, () => {
        computed += 1;
        return computed;
      });
    ask('first');
    for (let index = 0; index < 100; index += 1) ask(`other ${index}`);
    expect(ask('first')).toBe(102);
  });
});

describe('the features of a text', () => {
  it('are those of the rev that was found, read once for each rev', () => {
    const id = store.add({ text: 'three words here' });
    const wordsOf = (rev: number): number | undefined =>
      featuresOfThings(reader, { things: [{ kind: 'memory', id, rev }] }).features[0]?.words;
    expect([wordsOf(1), wordsOf(1)]).toEqual([3, 3]);
    store.database.raw
      .prepare('UPDATE searchables SET rev = 2, features = ? WHERE thing_id = ?')
      .run(JSON.stringify({ words: 9, question: false, code: false }), id);
    expect([wordsOf(2), wordsOf(1)]).toEqual([9, 3]);
  });

  it('are null for a thing that is gone', () => {
    const id = store.add({ text: 'soon gone' });
    store.remove(id);
    expect(featuresOfThings(reader, { things: [{ kind: 'memory', id, rev: 1 }] }).features).toEqual([null]);
  });
});
