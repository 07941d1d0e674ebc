// Debian's Chromium with the page of a real daemon in it. What the page says on its console and every address it asks for are kept,
// because a page that speaks to anybody else, or that its own policy has to stop, has failed whatever it shows.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { systemClock } from '#daemon/kernel/clock.ts';
import { launchChromium } from '../../benchmarks/processes/chromium.ts';
import { sendTo } from './http-surface.ts';
import { root } from './source-tree.ts';
import { openTestDaemon, type TestDaemon } from './test-daemon.ts';

export type PageDaemon = TestDaemon & {
  /** Calls an operation as the owner. Throws what it is refused with. */
  call<Answer = Record<string, unknown>>(operation: string, input?: unknown): Promise<Answer>;
  /** An address that opens the page once. */
  address(): Promise<string>;
  /** Stops the daemon and removes its home. */
  end(): Promise<void>;
};

export type Visit = {
  readonly page: Page;
  /** Errors and warnings of the console, refusals by the page's policy among them. */
  readonly complaints: string[];
  /** Addresses that were asked for at another place than the daemon. */
  readonly strangers: string[];
};

/** Where pictures are kept for whoever looks at a run; ignored by git. */
export const pictureFolder = join(root, 'tests/browser/screenshots');

export async function startPageDaemon(): Promise<PageDaemon> {
  const daemon = await openTestDaemon({ clock: systemClock });
  const call = async <Answer>(operation: string, input: unknown = {}): Promise<Answer> => {
    const reply = await sendTo(
      { socketPath: daemon.paths.httpSocket },
      { method: 'POST', path: `/operations/${operation}`, body: input },
    );
    if (reply.status >= 400) throw new Error(`${operation}: ${reply.text}`);
    return reply.json as Answer;
  };
  return {
    ...daemon,
    call,
    address: async () => {
      await daemon.port();
      return (await call<{ url: string }>('open_page')).url;
    },
    async end() {
      await daemon.stop();
      rmSync(daemon.home, { recursive: true, force: true });
    },
  };
}

export const launchBrowser = launchChromium;

/** Opens the page in a browser profile of its own. */
export async function visit(browser: Browser, daemon: PageDaemon, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  const own = `http://127.0.0.1:${await daemon.port()}/`;
  page.on('console', (message) => {
    const isOfDriver = message.text().includes('GL Driver Message');
    if (['error', 'warning'].includes(message.type()) && !isOfDriver) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) strangers.push(request.url());
  });
  await page.goto(await daemon.address());
  return { page, complaints, strangers };
}

/** Goes to a view of the open page. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** What axe finds against WCAG 2.2 A and AA, a line each. It is put into a world of its own: the page's policy forbids strangers' scripts. */
export async function violations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then((found) => JSON.stringify(found.violations.map(
    (one) => one.id + ': ' + one.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join(' | '))))`;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: `${axe.source};${run}`,
    awaitPromise: true,
  });
  await session.detach();
  if (exceptionDetails !== undefined) throw new Error(`axe failed: ${exceptionDetails.exception?.description}`);
  return JSON.parse(String(result.value)) as string[];
}

export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true });
  await page.screenshot({ path: join(pictureFolder, `${name}.png`) });
}
