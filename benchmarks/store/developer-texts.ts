// Memories as agents write them, in any number and always the same: sentences are put together from a seed, with the mix of prose,
// identifiers, paths and figures that makes a keyword index and a tokenizer work. Most words are drawn from the vocabulary of the bundled
// model by Zipf's law: with a few hundred words alone each would stand in every fifth memory, as no store of notes has it.
import { wordsByFrequency } from './vocabulary.ts';

export type DeveloperTexts = {
  /** What a session would save: one to three sentences, 15 to 70 words. */
  memory(): { content: string; type: string; project: string; tags: string[]; files: string[] };
  /** What a later session would ask, 6 to 14 words. */
  question(): string;
};

const parts = [
  'parser',
  'scheduler',
  'importer',
  'service',
  'form',
  'queue',
  'page',
  'cache',
  'handler',
  'builder',
  'receiver',
  'runner',
  'harness',
  'sender',
  'limiter',
  'store',
  'client',
  'resizer',
  'command',
  'engine',
  'callback',
  'loader',
  'reader',
  'worker',
  'switcher',
  'printer',
  'log',
];
const faults = [
  'returns stale rows',
  'times out under load',
  'drops the last batch',
  'leaks file handles',
  'double-counts retries',
  'ignores the locale',
  'rounds cents twice',
  'loses its cursor after a restart',
  'blocks the main thread',
  'fails on empty input',
  'accepts expired tokens',
  'writes outside its folder',
  'sorts names by byte',
  'forgets the time zone',
  'swallows the first error',
  'races with the nightly job',
];
const causes = [
  'the lock is released before the commit',
  'the pool hands out closed connections',
  'the clock of the container drifts',
  'a default argument is shared between calls',
  'the retry has no jitter',
  'the index does not cover the filter',
  'the proxy buffers the response',
  'the schema was changed without a backfill',
  'two workers read the same offset',
  'the header is compared case by case',
  'the fixture hides the real format',
  'the library caches the DNS answer',
  'an older client still sends the old field',
  'the temp folder is on another disk',
];
const remedies = [
  'take the lock inside the transaction',
  'cap the pool and check connections on checkout',
  'pass the clock in as a dependency',
  'add a covering index and analyse the table',
  'retry with full jitter and a budget',
  'stream the body instead of joining it',
  'write the new column first and read both for a week',
  'keep a cursor in the same table as the rows',
  'compare normalised names',
  'pin the dependency and test the upgrade apart',
  'move the work to a thread',
  'reject the request with a clear message',
  'render the page on the server',
  'store amounts in the smallest unit',
];
const opinions = [
  'We decided to',
  'The team agreed to',
  'After the incident we',
  'For now the rule is to',
  'The reviewer asked us to',
  'It turned out best to',
  'The customer wants us to',
];
const tools = [
  'Postgres',
  'Redis',
  'Kafka',
  'Terraform',
  'Vite',
  'Playwright',
  'Grafana',
  'nginx',
  'SQLite',
  'Webpack',
  'Django',
  'Rails',
  'Kubernetes',
  'Prisma',
  'Celery',
  'GitHub Actions',
  'ESLint',
  'pytest',
  'Cargo',
  'Gradle',
];
/** Rank of the commonest word that is drawn. */
const commonest = 20;
const types = ['fact', 'fact', 'fact', 'decision', 'preference', 'task', 'context'];

/** Texts of a seed; the same seed gives the same texts. */
export function createDeveloperTexts(seed: number): DeveloperTexts {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const words = wordsByFrequency();
  /** The word of rank r is drawn with a probability of 1/r; the twenty commonest are left out. */
  const word = (): string => words[Math.floor(commonest * (words.length / commonest) ** random())] ?? '';
  const pick = (from: readonly string[]): string => from[below(from.length)] ?? '';
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const part = (): string => `${word()} ${pick(parts)}`;
  const identifier = (): string => `${word()}${upper(word())}${below(3) === 0 ? upper(word()) : ''}`;
  const path = (): string => `src/${word()}s/${word()}-${word()}.ts`;

  const openings = [
    () => `The ${part()} ${pick(faults)} because ${pick(causes)}.`,
    () => `${pick(opinions)} ${pick(remedies)} in the ${part()}.`,
    () => `${upper(part())}: ${identifier()} must run before ${identifier()}, else it ${pick(faults)}.`,
    () =>
      `With ${pick(tools)} ${2 + below(14)}.${below(30)} the ${part()} ${pick(faults)} when a ${word()} has more than ${10 + below(990)} rows.`,
    () =>
      `Use ${pick(tools)} and not ${pick(tools)} for the ${part()}; the port in development is ${3000 + below(6000)}.`,
    () =>
      `The limit of ${identifier()} in ${path()} is ${5 + below(500)} per ${pick(['second', 'minute', 'tenant', 'request'])}.`,
  ];
  const sequels = [
    () => `The fix is to ${pick(remedies)}; see ${identifier()} in ${path()}.`,
    () =>
      `Measured on ${1 + below(28)} ${pick(['March', 'June', 'October'])}: ${20 + below(900)} ms before, ${1 + below(19)} ms after.`,
    () => `Do not ${pick(remedies)} here, because ${pick(causes)}.`,
    () => `It was found when the ${part()} of the ${word()} ${pick(faults)} in ticket ${1000 + below(9000)}.`,
    () => `Whoever changes ${identifier()} has to run the ${part()} tests with ${pick(tools)} as well.`,
  ];
  const questions = [
    () => `why does the ${part()} ${pick(faults).replace(/s\b/, '')} with ${pick(tools)}`,
    () => `what did we decide about the ${part()} and the ${word()} ${word()}`,
    () => `how do I keep ${identifier()} from running when ${pick(causes)}`,
    () => `which limit holds for a ${word()} in the ${part()}`,
    () => `who calls ${identifier()} before the ${part()} starts`,
  ];
  const oneOf = (makers: readonly (() => string)[]): string => makers[below(makers.length)]?.() ?? '';

  return {
    memory() {
      const sentences = [oneOf(openings), ...Array.from({ length: 1 + below(3) }, () => oneOf(sequels))];
      return {
        content: sentences.join(' '),
        type: pick(types),
        // few projects hold most memories
        project: `project-${Math.floor(random() ** 3 * 30)}`,
        tags: Array.from({ length: below(3) }, () => word()),
        files: below(3) === 0 ? [path()] : [],
      };
    },
    question: () => `${oneOf(questions)}?`,
  };
}

/** Mulberry32: numbers from 0 to 1, the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
