// The keyword index of PostgreSQL answers as SQLite's does: the same things in the same order, with the same scores.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createReader } from '#daemon/storage/create-reader.ts';
import { indexTextOf } from '#daemon/storage/keyword-index.ts';
import { featuresOf } from '#daemon/storage/keywords/text-features.ts';
import { openPostgres } from '#daemon/storage/postgres/open-postgres.ts';
import type { Reader } from '#daemon/storage/reader.ts';
import { deleteSearchable, writeSearchable } from '#daemon/storage/searchables.ts';
import { type Database, openDatabase } from '#daemon/storage/sqlite.ts';
import { atEnd } from '../support/at-end.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { everything } from '../support/searchable-store.ts';
import { storageSettings } from '../support/storage-under-test.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Engine = { readonly database: Database; readonly reader: Reader };

const words =
  'harbour crane invoice parser deploy rollback retry cache window customs ledger tokens running runs ran generalization naïve Straße'.split(
    ' ',
  );
const special = [
  'We moved std::vector into C++20 on 2024-11-05 in src/a.b.ts:42, see #42 and dev@host.test.',
  '再生世代の記録は港で作られた。GPT4の後、記録する。',
  '한국어 문서를 검색한다. 港の記録',
  'The function parseHttpUrl and HTTPServer call get_user_name().',
  "It's a naive approach: don't do it again; NAÏVE approaches fail.",
  'ไม่มีเอกสาร ไม่มีการค้นหา',
];
const queries = [
  'harbour crane',
  'run generalize naive',
  'strasse',
  'C++20 std::vector',
  '2024-11-05',
  'src/a.b.ts',
  '世代',
  '港の記録',
  '記',
  'parse http url',
  'get_user_name',
  'the and of',
  'deploy rollback retry cache window customs ledger tokens harbour invoice parser crane',
  'เอกสาร',
  'nothing-of-this xyzzy',
  `quotes " and ' and \\ AND (brackets)`,
];

async function openEngines(): Promise<Engine[]> {
  const clock = createFakeClock();
  const file = join(tempFolder(), 'loci.db');
  const { LOCI_STORAGE_URL: url = '' } = await storageSettings(tempFolder());
  const source = { url, name: 'parity' };
  const databases = [await openDatabase({ file, clock }), await openPostgres({ source, clock, logger: silentLogger })];
  const sources = [{ file }, { postgres: source }];
  return databases.map((database, index) => {
    const reader = createReader({ source: sources[index] as { file: string }, logger: silentLogger });
    atEnd(async () => {
      await reader.close();
      await database.close();
    });
    return { database, reader };
  });
}

/** Always the same row of numbers. */
function createPicks(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

it('finds the same things with the same scores: stems, marks, identifiers, scripts without spaces, in a scope and in the whole', async () => {
  const engines = await openEngines();
  const pick = createPicks();
  const texts = [
    ...special,
    ...Array.from({ length: 300 }, () =>
      Array.from({ length: 4 + pick(20) }, () => words[pick(words.length)]).join(' '),
    ),
  ];
  for (const { database } of engines) {
    await database.write(internalContext, async (trx) => {
      for (const [index, text] of texts.entries()) {
        await writeSearchable(trx, {
          kind: 'memory',
          id: index + 1,
          userId: 1,
          status: index % 17 === 0 ? 'archived' : 'active',
          type: 'fact',
          projectIds: [1 + (index % 3)],
          session: null,
          rev: 1,
          passages: 1,
          embedded: false,
          words: indexTextOf({
            title: index % 5 === 0 ? text.slice(0, 30) : null,
            texts: [text],
            labels: index % 4 === 0 ? ['harbour'] : [],
            names: ['Ada'],
            dates: [Date.UTC(2026, 0, 1 + (index % 28), 12)],
          }),
          features: featuresOf({ text }),
        });
      }
      for (const id of [20, 40, 60]) await deleteSearchable(trx, { kind: 'memory', id });
    });
  }
  const filters = [everything, { ...everything, projectIds: [2] }, { ...everything, statuses: ['active', 'archived'] }];
  for (const filter of filters) {
    for (const text of [...queries, ...special]) {
      const [ofSqlite, ofPostgres] = await Promise.all(
        engines.map(({ reader }) => reader.ask('keywordCandidates', { text, filter, limit: 400 })),
      );
      const rounded = (answer: typeof ofSqlite) => ({
        rows: answer?.rows,
        words: answer?.words
          .map((word) => ({ ...word, idf: word.idf.toFixed(6) }))
          .sort((a, b) => (a.word < b.word ? -1 : 1)),
        hits: answer?.hits.map(({ id, score, coverage }) => [id, score.toFixed(4), coverage.toFixed(4)]),
      });
      expect(rounded(ofPostgres), text).toEqual(rounded(ofSqlite));
    }
  }
});
