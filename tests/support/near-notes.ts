// Notes that a model can hardly tell apart and a reader can: generated, the same on every machine.
import { seededPicker } from './seeded-picker.ts';

const subjects = ['billing', 'search', 'login', 'import', 'export', 'invoice', 'report', 'profile', 'upload', 'audit'];
const parts = ['worker', 'service', 'page', 'job', 'form'];
const verbs = ['reads from', 'writes to', 'waits for', 'retries', 'skips'];
const stores = ['queue', 'cache', 'table', 'bucket', 'index'];
const times = ['at night', 'on every merge', 'after a restart', 'during a backup', 'before a release'];

/** Different statements over some thirty words, in which many differ in one word or in the order of two. */
export function differentNotes(count: number, seed: number): string[] {
  const pick = seededPicker(seed);
  const notes = new Set<string>();
  while (notes.size < count) {
    const [who, whose] = [`${pick(subjects)} ${pick(parts)}`, `${pick(subjects)} ${pick(stores)}`];
    notes.add(`The ${who} ${pick(verbs)} the ${whose} ${pick(times)}.`);
  }
  return [...notes];
}

const rules: readonly ((subject: string, part: string, number: number) => string)[] = [
  (subject, part, number) =>
    `The ${subject} ${part} should give up after ${number} attempts and call the person on duty.`,
  (subject, part, number) =>
    `In production the ${subject} ${part} may keep ${number} connections open to the primary database.`,
  (subject, part, number) =>
    `We agreed that every ${subject} ${part} must answer within ${number} milliseconds on the slow plan.`,
  (subject, part, number) =>
    `Batches of the ${subject} ${part} are allowed to hold ${number} rows when the warehouse is busy.`,
];
const denied: readonly (readonly [RegExp, string])[] = [
  [/ should /, ' should not '],
  [/ may /, ' may not '],
  [/ must /, ' must not '],
  [/ are allowed /, ' are not allowed '],
];

/** Pairs of statements that are equal but for one number (even places) or one "not" (odd places). */
export function pairsOneApart(count: number, seed: number): [string, string][] {
  const pick = seededPicker(seed);
  const pairs: [string, string][] = [];
  const used = new Set<string>();
  while (pairs.length < count) {
    const place = Math.floor(pairs.length / 2) % rules.length;
    const rule = rules[place] as (typeof rules)[number];
    const [subject, part, number] = [pick(subjects), pick(parts), 2 + Number(pick(hundred))];
    const text = rule(subject, part, number);
    const [pattern, denial] = denied[place] as (typeof denied)[number];
    const other = pairs.length % 2 === 0 ? rule(subject, part, number + 1) : text.replace(pattern, denial);
    if (used.has(text) || used.has(other)) continue;
    used.add(text).add(other);
    pairs.push([text, other]);
  }
  return pairs;
}

const hundred = Array.from({ length: 100 }, (_, index) => String(index));

type Wordings = readonly [(subject: string, part: string) => string, (subject: string, part: string) => string];

/** Ten ways in which people say a thing again, from an added word to other words throughout. */
const wordings: readonly Wordings[] = [
  [
    (s, p) => `The ${s} ${p} is deployed on every merge to main.`,
    (s, p) => `On each merge to main the ${s} ${p} is deployed.`,
  ],
  [
    (s, p) => `We store the sessions of the ${s} ${p} in Redis.`,
    (s, p) => `Sessions of the ${s} ${p} are stored in Redis.`,
  ],
  [
    (s, p) => `Ask the owner before you change the ${s} ${p}.`,
    (s, p) => `Before changing the ${s} ${p}, ask the owner.`,
  ],
  [
    (s, p) => `The ${s} ${p} needs an index on the customer column.`,
    (s, p) => `An index on the column of the customer is needed by the ${s} ${p}.`,
  ],
  [
    (s, p) => `Logs of the ${s} ${p} go to the central collector.`,
    (s, p) => `The ${s} ${p} sends its logs to the central collector.`,
  ],
  [
    (s, p) => `We chose Postgres for the ${s} ${p} because it has transactions.`,
    (s, p) => `Postgres was picked for the ${s} ${p}, since it offers transactions.`,
  ],
  [
    (s, p) => `The ${s} ${p} fails when the clock of the host is wrong.`,
    (s, p) => `A wrong host clock makes the ${s} ${p} fail.`,
  ],
  [(s, p) => `Tests of the ${s} ${p} run in parallel.`, (s, p) => `The tests of our ${s} ${p} are run in parallel.`],
  [
    (s, p) => `The owner of the ${s} ${p} is the platform team.`,
    (s, p) => `The ${s} ${p} belongs to the platform team.`,
  ],
  [
    (s, p) => `Users complain that the ${s} ${p} is slow on Mondays.`,
    (s, p) => `People say the ${s} ${p} crawls at the start of the week.`,
  ],
];

/** Pairs of statements that say the same in other words. */
export function paraphrases(): [string, string][] {
  const things = subjects.flatMap((subject, at) =>
    [0, 2].map((step) => [subject, parts[(at + step) % parts.length] ?? ''] as const),
  );
  return wordings.flatMap(([one, other]) =>
    things.map(([subject, part]): [string, string] => [one(subject, part), other(subject, part)]),
  );
}
