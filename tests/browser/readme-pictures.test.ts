// The two pictures of the README, from a store that reads like somebody's: run this and copy them to docs/images when the page changes.
import { expect, it } from 'vitest';
import { goTo, launchBrowser, startPageDaemon, takePicture, visit } from '../support/browser.ts';

const said = [
  [
    'decision',
    'storefront',
    'Sign-in is handled by Clerk; our own session table was dropped because token rotation kept breaking.',
  ],
  ['decision', 'storefront', 'Sessions live in Redis, not in JWTs, because a stolen one must be revocable at once.'],
  [
    'context',
    'storefront',
    'Deploys go through Argo: merging to main is the release, and nobody runs the deploy script by hand.',
  ],
  ['fact', 'storefront', 'The cart keeps prices in cents; a price with a fraction is a bug of whoever wrote it.'],
  ['task', 'storefront', 'Remove the feature flag of the old checkout once the last tenant has moved.'],
  ['preference', 'storefront', 'Tests of the checkout use the real payment sandbox and no mocks.'],
  ['fact', 'storefront', 'A flaky checkout test was the time zone of the runner: it now sets TZ itself.'],
  ['decision', 'billing', 'Invoices are immutable: a correction is a credit note and a new invoice.'],
  ['fact', 'billing', 'The invoice run starts at 02:00 UTC on Mondays and must not overlap a deploy.'],
  ['context', 'billing', 'Auditors read the ledger directly, so its column names are a contract.'],
  ['fact', 'billing', 'Retries of the payment webhook are idempotent by the event id, kept for 30 days.'],
  ['task', 'billing', 'Move the ledger to PostgreSQL 17 before support for 14 ends.'],
  ['decision', 'platform', 'One queue a team: a shared queue once held up every deploy for a day.'],
  ['fact', 'platform', 'The CI runner is in the cellar, host name kiln, with 4 cores.'],
  ['fact', 'platform', 'The staging database is reset every Sunday night by the nightly job.'],
  ['preference', 'platform', 'Infrastructure is changed by pull request alone; the console is read-only.'],
  ['context', 'platform', 'The old balancer drops idle connections after 350 seconds.'],
  ['decision', 'mobile app', 'The app caches the catalogue for a day, because trains have no network.'],
  ['fact', 'mobile app', 'Push tokens rotate with each reinstall; the old one answers 410.'],
  ['task', 'mobile app', 'Drop support for the login screen of version 3 in spring.'],
] as const;

const agents = ['claude-code', 'codex', 'gemini-cli', 'opencode'];
const people = ['Checkout team', 'Payment provider', 'kiln'];

it('the page shows a store as the README does', async () => {
  const [browser, daemon] = await Promise.all([launchBrowser(), startPageDaemon()]);
  const ids: number[] = [];
  for (const [index, [type, project, content]] of said.entries()) {
    const agent = agents[index % agents.length];
    ids.push(
      (await daemon.call<{ id: number }>('memory_save', { content, type, project, agent, on_duplicate: 'keep' })).id,
    );
  }
  for (const [index, name] of people.entries()) {
    const { id } = await daemon.call<{ id: number }>('create_entity', {
      name,
      entity_type: index === 2 ? 'Device' : 'Team',
    });
    for (const at of [index, index + 4, index + 8, index + 11]) {
      await daemon.call('link_entity_to_memory', { entity_id: id, memory_id: ids[at] });
    }
  }
  for (const [a, b] of [
    [0, 1],
    [3, 7],
    [8, 2],
    [13, 6],
    [5, 10],
  ] as const) {
    await daemon.call('link_memories', { memory_id: ids[a], related_ids: [ids[b]] });
  }
  const { page } = await visit(browser, daemon, { viewport: { width: 1180, height: 660 }, colorScheme: 'light' });
  await goTo(page, `#/search?q=sessions+login+token&id=${ids[1]}&explain=yes`);
  await page.locator('.pane h2', { hasText: 'Sessions live in Redis' }).waitFor();
  await page.locator('.result mark').first().waitFor();
  await takePicture(page, 'readme-search');
  await page.emulateMedia({ colorScheme: 'dark' });
  await goTo(page, '#/graph');
  await page.locator('.drawing[data-settled="yes"]').waitFor({ state: 'attached' });
  await page.reload();
  await page.locator('.drawing[data-settled="yes"]').waitFor({ state: 'attached' });
  expect(await page.getByRole('status').first().textContent()).toContain('27 nodes');
  await takePicture(page, 'readme-graph');
  await browser.close();
  await daemon.end();
});
