// Who gets to see the page, in the browser and on the wire.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type PageDaemon, startPageDaemon, visit } from '../support/browser.ts';
import { sendTo } from '../support/http-surface.ts';

let browser: Browser;
let daemon: PageDaemon;

beforeAll(async () => {
  [browser, daemon] = await Promise.all([launchBrowser(), startPageDaemon()]);
  await daemon.call('memory_save', { content: 'We deploy on Tuesdays because billing runs on Monday' });
});

afterAll(async () => {
  await browser.close();
  await daemon.end();
});

describe('the address of loci ui', () => {
  it('opens the page with what is stored, leaves no code in the address, and speaks to nobody else', async () => {
    const { page, complaints, strangers } = await visit(browser, daemon);
    await page.getByText('We deploy on Tuesdays').first().waitFor();
    expect(page.url()).not.toContain('code');
    await page.getByRole('searchbox').fill('deploy');
    await page.locator('mark', { hasText: 'deploy' }).first().waitFor();
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  it('works once', async () => {
    const address = await daemon.address();
    const first = await browser.newPage();
    await first.goto(address);
    await first.getByRole('searchbox').waitFor();
    const second = await (await browser.newContext()).newPage();
    await second.goto(address);
    await second.getByRole('alert').filter({ hasText: 'run `loci ui` again' }).waitFor();
    expect(await second.getByText('We deploy').count()).toBe(0);
    await first.close();
  });

  it('lasts over a reload and in a second tab, until one signs out', async () => {
    const { page } = await visit(browser, daemon);
    await page.getByRole('searchbox').waitFor();
    await page.reload();
    await page.getByText('We deploy on Tuesdays').first().waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`http://127.0.0.1:${await daemon.port()}/`);
    await tab.getByText('We deploy on Tuesdays').first().waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByText('loci ui').waitFor();
    expect(await page.getByText('We deploy').count()).toBe(0);
  });
});

describe('the cookie of a session', () => {
  it('is out of reach of scripts and of other sites, and opens nothing without the key', async () => {
    const { page } = await visit(browser, daemon);
    await page.getByRole('searchbox').waitFor();
    const port = await daemon.port();
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: `loci_page_${port}`, httpOnly: true, sameSite: 'Strict' }]);
    const cookie = `${cookies[0]?.name}=${cookies[0]?.value}`;
    const key = await page.evaluate(() => localStorage.getItem('loci-page-key') ?? '');
    const host = `127.0.0.1:${port}`;
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (
        await sendTo(
          { host: '127.0.0.1', port },
          {
            method: 'POST',
            path: '/operations/memory_stats',
            headers: { 'content-type': 'application/json', host, ...headers },
            body: {},
          },
        )
      ).status;
    const whole = { cookie, 'loci-page': key, origin: `http://${host}` };
    expect(await ask(whole)).toBe(200);
    const refused = {
      'the cookie alone': { cookie, origin: whole.origin },
      'the key alone': { 'loci-page': key, origin: whole.origin },
      'no origin': { cookie, 'loci-page': key },
      'the other name of this host': { ...whole, host: `localhost:${port}`, origin: `http://localhost:${port}` },
      'an origin that is ours under another name': { ...whole, origin: `http://localhost:${port}` },
      'a page of another port': { ...whole, 'sec-fetch-site': 'same-site' },
    };
    for (const [name, headers] of Object.entries(refused)) expect([name, await ask(headers)]).toEqual([name, 401]);
    expect(await ask({ ...whole, origin: 'http://evil.example' })).toBe(403);
  });
});
