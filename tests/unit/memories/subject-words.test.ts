import { describe, expect, it } from 'vitest';
import { nameTheSame, subjectOf } from '#daemon/memories/duplicates/subject-words.ts';

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [subjectOf(a), subjectOf(b)];
  expect(nameTheSame(other, one)).toBe(nameTheSame(one, other));
  return nameTheSame(one, other);
};

describe('what makes two texts one statement', () => {
  it.each([
    ['a subject exchanged', 'The audit job reads the cache', 'The audit job reads the table'],
    ['a letter that is a name', 'We go with plan A', 'We go with plan B'],
    ['a proper name', 'Sessions live in Redis', 'Sessions live in Postgres'],
    ['roles exchanged', 'The audit worker reads the profile queue', 'The profile worker reads the audit queue'],
    ['caller and called exchanged', 'The shop calls the depot at night', 'The depot calls the shop at night'],
    [
      'a word once more and another for it',
      'The audit page writes to the audit log',
      'The web page writes to the audit log',
    ],
    ['the same in a script without spaces', '支払いは夜に行う', '支払いは朝に行う'],
  ])('%s: two', (_, a, b) => {
    expect(isSame(a, b)).toBe(false);
  });

  it.each([
    ['a word added', 'The audit job reads the cache', 'The audit job reads the shared cache'],
    ['words without a subject', 'We deploy on every merge', 'Please deploy at each of our merges'],
    ['an inflection', 'The services process cards', 'The service is processing a card'],
    ['a doubled consonant', 'The job skips empty rows', 'The job skipped an empty row'],
    ['neighbours exchanged', 'Stripe is used for card processing', 'Stripe is used for processing cards'],
    ['a clause moved to the front', 'The audit job runs at night', 'At night the audit job runs'],
    [
      'active and passive',
      'We store the sessions of the audit page in Redis',
      'Sessions of the audit page are stored in Redis',
    ],
    ['case, width and apostrophes', 'The team’s CACHE', "the team's cache"],
    ['nothing but words without a subject', 'It is so', 'This was it'],
  ])('%s: one', (_, a, b) => {
    expect(isSame(a, b)).toBe(true);
  });
});
