// Does the prompt hook say nothing when there is nothing to say, and speak when there is? Stores of developers' memories are asked through
// the product's own API: 500 questions of another world (CoSQA: how to do things in Python) and a list of nonsense must get nothing, and
// of the right finds of the sets' own questions as many as possible must stay.
import type { BenchQuery, DataSet } from './data-sets.ts';
import { type ApiStore, openApiStore } from './through-api.ts';

export type SilenceRow = {
  readonly set: string;
  /** Questions of another world, and how many of them got nothing. */
  readonly unrelated: number;
  readonly silent: number;
  readonly nonsense: number;
  readonly nonsenseSilent: number;
  /** Questions whose right memory a search has among its first five, and how many of them the hook still gives one. */
  readonly findable: number;
  readonly kept: number;
  /** Of all that was injected for the set's own questions, how much was right. */
  readonly precision: number;
};

/** What people type that is no question: nothing in any store can be about it. */
export const nonsense: readonly string[] = [
  ...[
    'ok',
    'yes',
    'no',
    'thanks',
    'thank you!',
    'continue',
    'go on',
    'lgtm',
    'hello',
    'hi there',
    'good morning',
    'great work',
  ],
  ...[
    'stop',
    'wait',
    'undo that',
    'try again',
    'looks good to me',
    'do it',
    'what?',
    'why?',
    'hmm',
    'never mind',
    'sure, go ahead',
  ],
  ...[
    'asdf qwer zxcv',
    'lorem ipsum dolor sit amet',
    'blah blah blah',
    'foo bar baz',
    'xyzzy plugh',
    'qwertyuiop asdfghjkl',
  ],
  ...[
    'the quick brown fox jumps over the lazy dog',
    '42',
    '1 2 3 4 5',
    '¯\\_(ツ)_/¯',
    '👍',
    '...',
    '???',
    'a',
    'the of and',
  ],
  ...['tell me a joke about penguins', 'write a haiku about autumn leaves', 'how do I bake sourdough bread at home'],
  ...[
    'what is the capital of Mongolia',
    'translate good evening into Finnish',
    'who won the football world cup in 1998',
  ],
  ...[
    'my cat sleeps all day long',
    'the weather in Lisbon is lovely in May',
    'recommend a film for tonight',
    'colourless green ideas sleep furiously',
  ],
];

export async function measureSilence(set: DataSet, unrelated: readonly string[]): Promise<SilenceRow> {
  const store = await openApiStore(set);
  try {
    const found = await ownQuestions(store, set.queries);
    return {
      set: set.name,
      unrelated: unrelated.length,
      silent: await countSilent(store, unrelated),
      nonsense: nonsense.length,
      nonsenseSilent: await countSilent(store, nonsense),
      ...found,
    };
  } finally {
    await store.close();
  }
}

async function countSilent(store: ApiStore, prompts: readonly string[]): Promise<number> {
  let silent = 0;
  for (const prompt of prompts) if ((await store.recall(prompt)).length === 0) silent += 1;
  return silent;
}

async function ownQuestions(
  store: ApiStore,
  queries: readonly BenchQuery[],
): Promise<Pick<SilenceRow, 'findable' | 'kept' | 'precision'>> {
  let [findable, kept, injected, right] = [0, 0, 0, 0];
  for (const query of queries) {
    const isRight = (docId: string): boolean => query.relevant.includes(docId);
    const recalled = await store.recall(query.text, query.scope);
    injected += recalled.length;
    right += recalled.filter(isRight).length;
    if (!(await store.search(query, 'hybrid')).slice(0, 5).some(isRight)) continue;
    findable += 1;
    if (recalled.some(isRight)) kept += 1;
  }
  return { findable, kept, precision: injected === 0 ? 1 : right / injected };
}

export function printSilence(rows: readonly SilenceRow[]): void {
  console.log('\nSilence of the prompt hook, through the API');
  console.log(`${'store'.padEnd(14)}  unrelated: silent   nonsense: silent   right finds kept   right of the injected`);
  for (const row of rows) {
    const cells = [
      share(row.silent, row.unrelated).padStart(17),
      share(row.nonsenseSilent, row.nonsense).padStart(18),
      share(row.kept, row.findable).padStart(18),
      row.precision.toFixed(3).padStart(23),
    ];
    console.log(`${row.set.padEnd(14)}  ${cells.join(' ')}`);
  }
}

function share(part: number, whole: number): string {
  return `${part}/${whole} ${whole === 0 ? '' : ((100 * part) / whole).toFixed(1)} %`;
}
