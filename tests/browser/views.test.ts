// Each view on a store of a thousand varied memories: what it shows, that it can be used by keyboard, that axe finds nothing, and a
// picture of it in both schemes and on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  goTo,
  launchBrowser,
  type PageDaemon,
  startPageDaemon,
  takePicture,
  type Visit,
  violations,
  visit,
} from '../support/browser.ts';
import { fillVaried, type Varied } from '../support/varied-store.ts';

let browser: Browser;
let daemon: PageDaemon;
let store: Varied;
let opened: Visit;
let page: Page;

const older = 'the gateway of the storefront listens on port 8080 behind the old balancer of the cluster';

beforeAll(async () => {
  [browser, daemon] = await Promise.all([launchBrowser(), startPageDaemon()]);
  store = await fillVaried(daemon);
  await daemon.call('memory_save', { content: older });
  await daemon.call('memory_save', { content: older.replace('8080', '9090') });
  await daemon.call('run_job', { name: 'optimise' });
  opened = await visit(browser, daemon);
  page = opened.page;
});

afterAll(async () => {
  await browser.close();
  await daemon.end();
});

const search = (): ReturnType<Page['getByRole']> => page.getByRole('searchbox', { name: 'Search memories' });

describe('the list of memories', () => {
  it('holds all of them and draws only what is seen', async () => {
    await goTo(page, '#/search');
    await page.getByText('962 memories').waitFor();
    expect(await page.locator('.result').count()).toBeLessThan(60);
    await page.locator('.virtual').evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await page.locator('li[aria-posinset="962"] .result[data-id]').waitFor();
    expect(await page.locator('.result').count()).toBeLessThan(60);
  });

  it('is narrowed by facets, each counted under the others, and by the order', async () => {
    await goTo(page, '#/search');
    const projects = page.getByRole('group', { name: 'Project' });
    await projects.getByRole('button', { name: /billing/ }).click();
    await page
      .getByRole('group', { name: 'Type' })
      .getByRole('button', { name: /decision/ })
      .click();
    const { total } = await daemon.call<{ total: number }>('memory_list', { project: 'billing', type: 'decision' });
    await page.getByText(`${total} memories`).waitFor();
    expect(await projects.getByRole('button', { name: /storefront/ }).count()).toBe(1);
    await page.getByLabel('Order').selectOption('importance');
    await page.waitForURL(/sort=importance/);
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: /archived/ })
      .click();
    await page.waitForURL(/status=archived/);
    await page.locator('.facts .state', { hasText: 'archived' }).first().waitFor();
  });

  it('finds as one types, marks the words, and explains each score', async () => {
    await goTo(page, '#/search');
    await search().fill('');
    await search().pressSequentially('scheduler retries');
    await page.locator('.result mark', { hasText: 'scheduler' }).first().waitFor();
    await page.locator('.result mark', { hasText: 'retries' }).first().waitFor();
    await page.getByText(/memories in \d+ ms/).waitFor();
    await page.getByLabel('Explain scores').check();
    await page
      .locator('.why', { hasText: /relevance 0\.\d+ · similarity/ })
      .first()
      .waitFor();
    await page.getByRole('group', { name: 'Agent' }).getByRole('button', { name: /codex/ }).click();
    await page.waitForURL(/agent=codex/);
    expect(await page.locator('.result').count()).toBeGreaterThan(0);
    await takePicture(page, 'search-explained');
  });

  it('says so when nothing fits, and how to see everything again', async () => {
    await goTo(page, '#/search?q=zzzzqqqq&agent=nobody');
    await page.getByText('Nothing fits.').waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByText('962 memories').waitFor();
  });

  it('is walked by keys: / j k Enter x Escape ?', async () => {
    await goTo(page, '#/search?sort=created');
    await page.locator('.result[data-id]').first().waitFor();
    await page.keyboard.press('/');
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    for (const key of ['j', 'j', 'k', 'x']) await page.keyboard.press(key);
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('Enter');
    await page.locator('.pane h2').waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the other views', () => {
  it('a memory shows text, provenance, ties, where it was injected, and its history', async () => {
    const { id } = await daemon.call<{ id: number }>('memory_save', {
      content: 'The staging database is reset every Sunday night by the nightly job',
      project: 'infra',
      agent: 'codex',
      tags: ['staging'],
    });
    await daemon.call('memory_update', { id, content: 'The staging database is reset every Monday night by a job' });
    await daemon.call('memory_recall', {
      prompt: 'The staging database is reset every Monday night by a job',
      session: 'session-of-a-test',
    });
    await goTo(page, `#/memory/${id}`);
    await page.getByText('reset every Monday night').first().waitFor();
    await page.getByText('codex').first().waitFor();
    await page.getByText('Where it was injected').click();
    await page.getByText('session-of-a-test').waitFor();
    await page.getByText('into a prompt').waitFor();
    await page.getByText('History: 1 earlier version').click();
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.locator('.differences del', { hasText: 'Sunday' }).waitFor();
    await page.locator('.differences ins', { hasText: 'Monday' }).waitFor();
    await takePicture(page, 'memory');
  });

  it('a memory that is not there says so', async () => {
    await goTo(page, '#/memory/999999');
    await page.getByText('Memory 999999 not found.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    opened.complaints.length = 0; // the browser complains of the 404 that was asked for
  });

  it('the timeline goes by day, and what happens elsewhere stands on top at once', async () => {
    await goTo(page, '#/timeline');
    await page.getByRole('heading', { name: /^Today/ }).waitFor();
    await page.getByText(', live').waitFor();
    await daemon.call('memory_save', { content: 'Said while somebody watches the timeline' });
    await page.locator('.event').first().getByText('Said while somebody watches').waitFor();
    await page.getByLabel('Kind').selectOption('task');
    await page.locator('.event', { hasText: 'Write the migration' }).first().waitFor();
    await page.getByLabel('Kind').selectOption('');
    await page.locator('.event').first().waitFor();
    await takePicture(page, 'timeline');
  });

  it('the graph is drawn, narrowed by kind, and a node is expanded', async () => {
    await goTo(page, '#/graph');
    await page.locator('.drawing[data-drawn="yes"] canvas').first().waitFor();
    await page.getByLabel('Find a node').fill('Platform');
    await page.getByRole('button', { name: /Platform team/ }).click();
    await page.getByRole('heading', { name: 'Platform team' }).waitFor();
    await page.getByText(/Tied to 8 nodes/).waitFor();
    await page.getByRole('button', { name: 'Only what is around it' }).click();
    await page.waitForURL(/node=entity_1/);
    await page.getByRole('link', { name: 'Show everything' }).waitFor();
    await page.getByRole('button', { name: 'Choose none' }).click();
    const listed = page.getByRole('button', { name: /project$/ }).first();
    await listed.click();
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByText(/more nodes?\.$/).waitFor();
    await page.getByRole('checkbox', { name: /memory/ }).uncheck();
    await page.waitForTimeout(1_500);
    await page.getByRole('checkbox', { name: /memory/ }).check();
    await page.waitForTimeout(2_500);
    await takePicture(page, 'graph');
  });

  it('a plan is a board', async () => {
    await goTo(page, '#/plans');
    await page.getByRole('link', { name: /Move the ledger/ }).click();
    const doing = page.getByRole('region', { name: 'doing' });
    await doing.getByText('Write the migration').waitFor();
    await doing.getByText('codex').waitFor();
    await page.getByText('blocked').first().waitFor();
    await takePicture(page, 'plan');
  });

  it('health shows each part, the jobs with their runs, the backups, and who writes', async () => {
    await goTo(page, '#/health');
    await page.getByRole('region', { name: 'Parts' }).getByText('database').waitFor();
    await page
      .getByRole('row', { name: /optimise/ })
      .getByText('ok')
      .first()
      .waitFor();
    const backups = page.getByRole('region', { name: 'Backups' });
    await backups.getByText('Last rehearsal').waitFor();
    await backups.getByRole('button', { name: 'Back up now' }).click();
    // it is checked byte by byte before it counts
    await backups.getByText(/manual, 1,00\d memories/).waitFor({ timeout: 90_000 });
    await page.getByRole('region', { name: 'Agents' }).getByRole('link', { name: 'codex' }).waitFor();
    await page.getByRole('button', { name: /^Run now\s+prune$/ }).click();
    await page.getByText('The job prune has run.').waitFor();
    await takePicture(page, 'health');
  });

  it('settings are shown with their origin and cannot be changed', async () => {
    await goTo(page, '#/settings');
    await page
      .getByRole('row', { name: /http\.port/ })
      .getByText('LOCI_PORT')
      .waitFor();
    await page.getByLabel('Filter settings').fill('merge threshold');
    await page.getByRole('row', { name: /merge\.threshold/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Filter settings').fill('');
    await takePicture(page, 'settings');
  });

  it('review lists what may contradict each other', async () => {
    await goTo(page, '#/review');
    await page.locator('.conflict del', { hasText: '8080' }).waitFor();
    await takePicture(page, 'review');
  });

  it('none of them speaks to anybody else, and none breaks the policy of the page', () => {
    expect({ complaints: opened.complaints, strangers: opened.strangers }).toEqual({ complaints: [], strangers: [] });
  });
});

describe('axe finds nothing', () => {
  const views = [
    'search',
    'search?q=scheduler&id=500&explain=yes',
    'memory/1',
    'timeline',
    'graph',
    'plans',
    'plans/1',
  ];
  const rest = ['review', 'health', 'settings'];
  const looks = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ] as const;

  it.each(looks)('%s', async (name, options) => {
    const { page: looked } = await visit(browser, daemon, { ...options, reducedMotion: 'reduce' });
    await looked.getByRole('searchbox').first().waitFor();
    for (const view of [...views, ...rest]) {
      await goTo(looked, `#/${view}`);
      await looked.waitForTimeout(700);
      expect([view, await violations(looked)]).toEqual([view, []]);
      await takePicture(looked, `${name}-${view.replace(/\W+/g, '-')}`);
    }
    expect(store.memories).toBe(1_000);
  });
});
