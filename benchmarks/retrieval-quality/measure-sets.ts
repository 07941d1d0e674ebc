// Runs the questions of a set through the product in each mode and lays the answers beside the right ones.
import type { DataSet } from './data-sets.ts';
import { type Measures, meanOf, measure } from './measures.ts';
import type { TableRow } from './report.ts';
import { type ApiStore, openApiStore, type SearchModeName } from './through-api.ts';

const modes: readonly SearchModeName[] = ['keyword', 'vector', 'hybrid'];

/** The session of a LoCoMo turn: `conv-26/D1:3` is of `conv-26/D1`. */
const sessionOf = (docId: string): string => docId.replace(/:[^:]*$/, '');

export async function measureSet(set: DataSet): Promise<TableRow[]> {
  const store = await openApiStore(set);
  try {
    const rows: TableRow[] = [];
    for (const mode of modes) {
      const answers = await askAll(store, set, mode);
      const turns = set.queries.map(({ relevant }, index) => measure(answers[index] ?? [], relevant));
      rows.push(rowOf(set.name, mode, turns));
      if (mode !== 'hybrid' || set.name !== 'locomo') continue;
      rows.push(...byCategory(set, turns));
      const sessions = set.queries.map(({ relevant }, index) =>
        measure((answers[index] ?? []).map(sessionOf), [...new Set(relevant.map(sessionOf))]),
      );
      rows.push(rowOf('locomo', 'hybrid, sessions', sessions));
    }
    return rows;
  } finally {
    await store.close();
  }
}

export type UpdateFigures = { readonly hitAt1: number; readonly staleInTop5: number; readonly queries: number };

/** Pairs of an older and a newer statement, before and after the newer one was said to replace the older. */
export async function measureUpdates(set: DataSet): Promise<{ before: UpdateFigures; after: UpdateFigures }> {
  const store = await openApiStore(set);
  try {
    const before = await updateFigures(store, set);
    await store.supersede(
      set.queries.flatMap(({ relevant, stale }) =>
        relevant.flatMap((newer) => (stale ?? []).map((older): [string, string] => [newer, older])),
      ),
    );
    return { before, after: await updateFigures(store, set) };
  } finally {
    await store.close();
  }
}

async function updateFigures(store: ApiStore, set: DataSet): Promise<UpdateFigures> {
  const answers = await askAll(store, set, 'hybrid');
  const share = (holds: (answer: readonly string[], index: number) => boolean): number =>
    answers.filter(holds).length / answers.length;
  return {
    queries: answers.length,
    hitAt1: share(([first = ''], index) => set.queries[index]?.relevant.includes(first) === true),
    staleInTop5: share((answer, index) =>
      answer.slice(0, 5).some((id) => set.queries[index]?.stale?.includes(id) === true),
    ),
  };
}

async function askAll(store: ApiStore, set: DataSet, mode: SearchModeName): Promise<string[][]> {
  const answers: string[][] = [];
  for (const query of set.queries) answers.push(await store.search(query, mode));
  return answers;
}

function byCategory(set: DataSet, turns: readonly Measures[]): TableRow[] {
  const categories = [...new Set(set.queries.map(({ category }) => category))];
  return categories.map((category) =>
    rowOf(
      set.name,
      `hybrid, ${category}`,
      turns.filter((_, index) => set.queries[index]?.category === category),
    ),
  );
}

function rowOf(set: string, method: string, measures: readonly Measures[]): TableRow {
  return { set, method, queries: measures.length, ...meanOf(measures) };
}
