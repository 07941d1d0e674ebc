// What somebody else wrote stays text in every view; and a store in which there is nothing says what to do.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  goTo,
  launchBrowser,
  type PageDaemon,
  startPageDaemon,
  takePicture,
  violations,
  visit,
} from '../support/browser.ts';
import { fillVaried, hostileTexts } from '../support/varied-store.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe('hostile text', () => {
  let daemon: PageDaemon;

  beforeAll(async () => {
    daemon = await startPageDaemon();
    await fillVaried(daemon, 300);
  });

  afterAll(() => daemon.end());

  it('is text in every view: no element, no script, no address of its own comes of it', async () => {
    const { page, complaints, strangers } = await visit(browser, daemon);
    await page.evaluate(() => {
      Object.assign(window, { gotcha: () => document.body.setAttribute('data-got', 'yes') });
    });
    const { memories } = await daemon.call<{ memories: { id: number; title: string }[] }>('memory_list', {
      ids: Array.from({ length: hostileTexts.length }, (_, index) => index + 1),
    });
    await goTo(page, '#/search?sort=created&type=');
    for (const { id, title } of memories) {
      await goTo(page, `#/search?q=${encodeURIComponent('gotcha onerror script')}&id=${id}`);
      await page.locator('.pane h2', { hasText: title.slice(0, 20) }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Title').waitFor();
      await expectOnlyOurs(page);
    }
    for (const view of [
      'timeline',
      'graph',
      'graph?node=entity_3',
      'plans',
      'plans/1',
      'review',
      'health',
      'settings',
    ]) {
      await goTo(page, `#/${view}`);
      await page.waitForTimeout(500);
      await expectOnlyOurs(page);
    }
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  it('marks that hide or turn text round are shown as what they are', async () => {
    const { page } = await visit(browser, daemon);
    await goTo(page, `#/memory/${hostileTexts.length + 3}`);
    await page.locator('.prose', { hasText: '⟨202E⟩override' }).waitFor();
    await page.locator('.prose', { hasText: 'bell ⟨0007⟩' }).waitFor();
    expect(await page.locator('.prose').first().textContent()).not.toMatch(/[\u202e\u200b]/);
  });
});

/** No element that this page does not make itself, no handler, no address but its own. */
async function expectOnlyOurs(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const strange = document.querySelectorAll(
      '#page :is(script, iframe, img, svg, math, style, object, embed, base, meta, link)',
    );
    const addressed = [...document.querySelectorAll('#page [href], #page [src]')].filter(
      (element) => !/^#\//.test(element.getAttribute('href') ?? element.getAttribute('src') ?? ''),
    );
    const handled = [...document.querySelectorAll('#page *')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    );
    return {
      strange: [...strange].map((element) => element.outerHTML),
      addressed: addressed.map((element) => element.outerHTML),
      handled: handled.map((element) => element.outerHTML),
      got: document.body.getAttribute('data-got'),
    };
  });
  expect(found).toEqual({ strange: [], addressed: [], handled: [], got: null });
}

describe('an empty store', () => {
  let daemon: PageDaemon;

  beforeAll(async () => {
    daemon = await startPageDaemon();
  });

  afterAll(() => daemon.end());

  it.each([
    ['search', /Nothing is remembered yet/],
    ['timeline', /Nothing has happened yet/],
    ['graph', /There is nothing to draw yet/],
    ['plans', /There is no plan yet/],
    ['review', /Nothing waits for a decision/],
    ['health', /No agent has written yet/],
    ['settings', /http\.port/],
  ])('%s says what to do', async (view, says) => {
    const { page, complaints } = await visit(browser, daemon, { reducedMotion: 'reduce' });
    await goTo(page, `#/${view}`);
    await page.getByText(says).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await takePicture(page, `empty-${view}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the first memory as soon as it is saved', async () => {
    const { page } = await visit(browser, daemon);
    await page.getByText('Nothing is remembered yet').waitFor();
    await daemon.call('memory_save', { content: 'The first thing ever said here' });
    await page.getByText('The first thing ever said here').first().waitFor();
  });
});

describe('the Unix socket', () => {
  it('serves the same page through a tunnel, to its owner and without a code', async () => {
    const daemon = await startPageDaemon();
    await daemon.call('memory_save', { content: 'Reached through a tunnel' });
    const tunnel = await openTunnel(daemon.paths.httpSocket);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(tunnel.address() as AddressInfo).port}/`);
    await page.getByText('Reached through a tunnel').first().waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.close();
    tunnel.close();
    await daemon.end();
  });
});

/** What `ssh -L` does: a port whose connections end at the socket. */
function openTunnel(socketPath: string): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(socketPath);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
