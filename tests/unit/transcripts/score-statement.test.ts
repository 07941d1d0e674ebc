// What a session is worth remembering for, and the much that it is not.
import { describe, expect, it } from 'vitest';
import { scoreStatement } from '#daemon/transcripts/score-statement.ts';

const ofUsers = [
  'We decided to use Postgres instead of MySQL because of the JSON support.',
  'I prefer small commits with a one line message.',
  'Please always run the linter before you commit.',
  'never push directly to main, open a PR',
  'use pnpm, not npm, in this repo',
  "don't use default exports in this project",
  'my name is Anna and I work in Berlin time',
  'remember that the demo account is reset every night at 3',
  'Auth is Clerk, not custom JWT',
  'We deploy on Tuesdays only',
  "we're using Tailwind v4 here, no CSS modules",
  'the API is rate limited to 100 requests per minute',
  'the client wants the invoices in German',
  'our staging server is called heron and lives at Hetzner',
  "Let's go with option B, the queue based one, since it survives restarts",
  'From now on write tests first',
  'for dates use date-fns, moment is deprecated here',
  'I want you to always answer in English',
  'we agreed that v1 endpoints stay until March',
  'Keep the retry limit at 3, the vendor bans us otherwise.',
];

const ofAssistants = [
  'The root cause was a stale DNS entry in the resolver cache, so requests went to the old node.',
  'Decision: the importer writes to a staging table first and swaps it in one transaction.',
  'The bug was in `parseDate`: it treated `2024-02-30` as valid because of Date overflow.',
  'Fixed by pinning `esbuild` to 0.25, since 0.26 drops the banner option.',
  'The build fails on Node 18 because `fs.cp` with filter is async only there.',
  'The tests need Docker running, otherwise the Postgres container cannot start.',
  'The deploy script lives in `ops/deploy.sh` and expects `AWS_PROFILE=prod`.',
  'We chose SQLite over Postgres because the app runs on one machine.',
  'The workaround is to set `NODE_OPTIONS=--no-experimental-fetch` in CI.',
  'The user prefers concise answers without bullet lists.',
  'The payments service listens on port 8081 and is started by systemd.',
  'It turned out that the webhook is called twice by Stripe when the first call takes over 10 seconds.',
];

const worthless = [
  'Can you check why the test fails?',
  "I'll look at the file now.",
  'Let me run the tests.',
  'All tests pass.',
  'Great, thanks!',
  "Now I'll update the config to use the new path.",
  'The function takes two arguments and returns a string.',
  'Here is the updated code:',
  "I've added the button and wired it up to the handler.",
  'This should work now.',
  'Looks good to me, ship it',
  'fix the typo in the readme please',
  'add a dark mode toggle to the settings page',
  'I think we might want to use Redis maybe',
  'Would you like me to commit this?',
  'Let me know if you want any changes.',
  'The file has been created successfully.',
  'Running the build again to verify everything compiles.',
  'I need to see the error message first.',
  "You're right, I missed that.",
  'Next, I will refactor the parser module into smaller pieces.',
  'continue with the next step of the plan',
  'what do we use for auth?',
  'The output above shows three failing tests.',
  'First, let me understand the project structure.',
  'I have updated the three files as requested and everything compiles.',
  "It is 5pm, let's stop here",
  'use the second one',
  'Try running it with the debug flag and send me the output',
  'The tests are passing now and the lint is clean.',
  "I don't like how this looks, make the padding bigger",
  'never mind, I found it',
  'We need to fix the header first',
  'the button is too big',
  'run it on staging and tell me what happens',
  'I want to add a login page',
  'The problem is that the tests fail',
  'Always happy to help!',
  'I always forget how this works',
  "I'd like you to implement the search feature",
  'You should see the new page at localhost:3000.',
  'I love it!',
  'the error is still there',
  "Don't worry about the warning for now.",
  'Please use the attached screenshot as the design.',
];

describe('a statement', () => {
  it('that says what was decided, preferred, found or is so is kept', () => {
    expect(ofUsers.filter((text) => scoreStatement(text, 'user') === null)).toEqual([]);
    expect(ofAssistants.filter((text) => scoreStatement(text, 'assistant') === null)).toEqual([]);
  });

  it('that narrates, asks, thanks, doubts or is an errand is not, whoever says it', () => {
    const kept = worthless.filter((text) => scoreStatement(text, 'user') ?? scoreStatement(text, 'assistant'));
    expect(kept).toEqual([]);
  });

  it.each([
    ['We decided to use Postgres instead of MySQL because of the JSON support.', 'decision'],
    ['I prefer small commits with a one line message.', 'preference'],
    ['The root cause was a stale DNS entry in the resolver cache.', 'fix'],
    ['The payments service listens on port 8081 and is started by systemd.', 'fact'],
  ])('%s is a %s', (text, kind) => {
    expect(scoreStatement(text, 'user')).toMatchObject({ kind });
  });

  it('is a preference only from the mouth of the user', () => {
    expect(scoreStatement('I prefer tabs in Makefiles of this repo.', 'user')).toMatchObject({ kind: 'preference' });
    expect(scoreStatement('I prefer tabs in Makefiles of this repo.', 'assistant')).toBeNull();
  });
});
