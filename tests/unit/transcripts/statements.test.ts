import { describe, expect, it } from 'vitest';
import { statementsOf } from '#daemon/transcripts/statements.ts';

const texts = (message: string) => statementsOf(message).texts;

describe('the statements of a message', () => {
  it('are its sentences, in paragraphs and lists, without marks', () => {
    expect(
      texts(
        '## Summary\n\nThe **importer** writes to a `staging` table. It is swapped in one step.\n- The deploy needs two\n  approvals from the team\n1. Retry at most three times per job',
      ),
    ).toEqual([
      'The importer writes to a `staging` table.',
      'It is swapped in one step.',
      'The deploy needs two approvals from the team',
      'Retry at most three times per job',
    ]);
  });

  it('keep a reason with what it is the reason of', () => {
    expect(texts('We dropped the cache layer. Because it hid the stale rows from us.')).toEqual([
      'We dropped the cache layer. Because it hid the stale rows from us.',
    ]);
  });

  it('are not code, tables, quotations, headings, nor what programs, private tags or earlier recalls put there', () => {
    const message = [
      '```ts',
      'const weDecided = "to use Postgres for everything";',
      '```',
      '| we decided | to use tables |',
      '> We decided to quote somebody else here.',
      '# We decided to write a heading here',
      '<private>We decided to keep this to ourselves.</private>',
      '<loci-memory-abcdefghijkl>',
      '| We decided to recall this memory of old.',
      '</loci-memory-abcdefghijkl>',
      '<system-reminder>We decided to remind the model of this.</system-reminder>',
      '<command-name>/compact</command-name>',
      '<private>We decided to never close this tag.',
    ].join('\n');
    expect(texts(message)).toEqual([]);
  });

  it('may hold a tag that is never closed: it is only a word', () => {
    expect(texts('The page uses a <my-button> for each of the actions. It has four of them in all.')).toEqual([
      'The page uses a <my-button> for each of the actions.',
      'It has four of them in all.',
    ]);
  });

  it('are cut out of a long message at its ends, and no line is cut in two', () => {
    const filling = 'The log of the build goes on and on without end.\n'.repeat(4_000);
    const found = texts(`We start with the lighthouse lamp here.\n${filling}We end with the harbour crane here.`);
    expect(found[0]).toBe('We start with the lighthouse lamp here.');
    expect(found.at(-1)).toBe('We end with the harbour crane here.');
    expect(new Set(found).size).toBe(3);
    expect(texts('x'.repeat(200_000))).toEqual([]);
  });

  it('take time in proportion to the message', () => {
    const started = performance.now();
    for (const nasty of [
      '<a-b '.repeat(20_000),
      '`'.repeat(60_000),
      '*_'.repeat(30_000),
      '- '.repeat(30_000),
      '\n```\n'.repeat(10_000),
    ])
      texts(nasty);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
