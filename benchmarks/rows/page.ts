// The page in a real browser on a store of 10,000 memories: how soon it shows them, how far it lags behind the search itself while
// one types, and how smoothly a graph of 5,000 nodes is moved. What is measured is seen from inside the page.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Bench } from '../bench.ts';
import { type Finding, limitFinding } from '../figures.ts';
import { launchChromium } from '../processes/chromium.ts';
import type { RunningDaemon } from '../processes/running-daemon.ts';
import { copyGraphHome } from '../store/graph-home.ts';
import type { Workshop } from '../workshop.ts';

const loads = 15;
const queries = ['cache', 'stale rows', 'importer drops', 'retries under load', 'what leaks', 'time zone of the job'];
const panSeconds = 5;

export const pageBenches: readonly Bench[] = [{ name: 'page', run: page }];

type Noted = {
  firstRowMs?: number;
  /** Milliseconds that the daemon itself took for each text it searched. */
  searches: Record<string, number>;
  frames: number;
};

declare global {
  var noted: Noted;
}

async function page(workshop: Workshop): Promise<Finding[]> {
  const home = workshop.emptyHome();
  await copyGraphHome(home, workshop.say);
  const daemon = await workshop.daemon(home, { LOCI_GRAPH_MAX_NODES: '10000' });
  await daemon.call('memory_search', { query: 'wakes the model' });
  const browser = await launchChromium();
  try {
    const context = await openContext((options) => browser.newContext(options));
    const first = await context.newPage();
    await first.goto((await daemon.call<{ url: string }>('open_page')).url);
    await first.locator('.result[data-id]').first().waitFor();
    return [
      await firstView(context, first.url()),
      await typing(first),
      await panning(first, daemon),
      ...(await sizes(first)),
    ];
  } finally {
    await browser.close();
  }
}

async function openContext(open: (options: BrowserContextOptions) => Promise<BrowserContext>): Promise<BrowserContext> {
  const context = await open({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(watch);
  return context;
}

/** Runs in the page before anything else of it. */
function watch(): void {
  globalThis.noted = { searches: {}, frames: 0 };
  new MutationObserver(() => {
    if (globalThis.noted.firstRowMs !== undefined || document.querySelector('.result[data-id]') === null) return;
    // noted in the frame that shows it
    globalThis.noted.firstRowMs = 0;
    requestAnimationFrame(() => {
      globalThis.noted.firstRowMs = performance.now();
    });
  }).observe(document, { childList: true, subtree: true });
  const ask = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    const reply = await ask(...given);
    if (String(given[0]).endsWith('/memory_search')) {
      const { query } = JSON.parse(String(given[1]?.body)) as { query: string };
      globalThis.noted.searches[query] = ((await reply.clone().json()) as { took_ms: number }).took_ms;
    }
    return reply;
  };
  // a frame counts when the picture in it was drawn anew or stands elsewhere
  const clear = WebGL2RenderingContext.prototype.clear;
  let isDrawn = false;
  let place = '';
  WebGL2RenderingContext.prototype.clear = function noted(mask) {
    isDrawn = true;
    return clear.call(this, mask);
  };
  const look = (): void => {
    const now = document.querySelector<HTMLElement>('.drawing canvas')?.style.transform ?? '';
    if (isDrawn || now !== place) globalThis.noted.frames += 1;
    isDrawn = false;
    place = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function firstView(context: BrowserContext, url: string): Promise<Finding> {
  const values: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const tab = await context.newPage();
    await tab.goto(url);
    await tab.waitForFunction(() => (globalThis.noted.firstRowMs ?? 0) > 0);
    values.push(
      await tab.evaluate(() => {
        const [html] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return (globalThis.noted.firstRowMs ?? 0) - (html?.responseEnd ?? 0);
      }),
    );
    await tab.close();
  }
  return limitFinding({ what: 'page: first memories after its HTML has arrived, 10,000 stored', atMost: 300, values });
}

/** Each text is written letter by letter; of the whole one is measured how long it takes until its finds stand there. */
async function typing(tab: Page): Promise<Finding> {
  const values: number[] = [];
  for (const query of queries) {
    const box = tab.getByRole('searchbox', { name: 'Search memories' });
    await box.fill('');
    await tab.locator('.found[data-query=""]').waitFor();
    await box.pressSequentially(query.slice(0, -1), { delay: 60 });
    await tab.locator(`.found[data-query="${query.slice(0, -1)}"]`).waitFor();
    const [seenMs, searchMs] = await tab.evaluate(typeLast, query);
    values.push(seenMs - 1.5 * searchMs);
  }
  return limitFinding({ what: 'page: typing to finds, beyond 1.5 × the search itself', atMost: 30, values });
}

/** Runs in the page: writes the last letter and waits for the frame that shows the finds. */
async function typeLast(query: string): Promise<[number, number]> {
  const box = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (box === null) throw new Error('there is no search box');
  const startedMs = performance.now();
  box.value = query;
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const shown = document.querySelector<HTMLElement>('.found')?.dataset.query;
    const searchMs = globalThis.noted.searches[query];
    if (shown === query && searchMs !== undefined) return [performance.now() - startedMs, searchMs];
  }
}

async function panning(tab: Page, daemon: RunningDaemon): Promise<Finding> {
  await daemon.call('memory_stats');
  await tab.evaluate(() => {
    location.hash = '#/graph';
  });
  await tab.locator('.drawing[data-drawn="yes"]').waitFor({ timeout: 120_000, state: 'attached' });
  await tab.locator('.drawing[data-settled="yes"]').waitFor({ timeout: 300_000, state: 'attached' });
  const nodes = await tab.locator('.graph [role="status"]').textContent();
  const box = await tab.locator('.drawing').boundingBox();
  if (box === null) throw new Error('nothing is drawn');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.evaluate(() => {
    globalThis.noted.frames = 0;
  });
  const startedMs = performance.now();
  for (let step = 0; performance.now() - startedMs < panSeconds * 1_000; step += 1) {
    await tab.mouse.move(x + Math.sin(step / 15) * 200, y + Math.cos(step / 15) * 150);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const frames = await tab.evaluate(() => globalThis.noted.frames);
  await tab.mouse.up();
  return rateFinding(`page: panning a graph of ${nodes}`, 30, frames / seconds);
}

function rateFinding(what: string, atLeast: number, perSecond: number): Finding {
  return {
    what,
    bar: `≥ ${atLeast} frames/s`,
    measured: `${perSecond.toFixed(0)} frames/s`,
    range: '',
    yardstick: '',
    ratio: null,
    isMet: perSecond >= atLeast,
  };
}

/** What the first view loads, compressed as a server before the daemon would. */
async function sizes(tab: Page): Promise<Finding[]> {
  const bytes = await tab.evaluate(async () => {
    const packed = await Promise.all(
      ['/', '/page.js', '/page.css'].map(async (path) => {
        const body = (await fetch(path)).body?.pipeThrough(new CompressionStream('gzip'));
        return (await new Response(body ?? null).arrayBuffer()).byteLength;
      }),
    );
    return packed.reduce((sum, size) => sum + size, 0);
  });
  return [
    {
      what: 'page: HTML, scripts and styles of the first view, gzipped',
      bar: '≤ 250 kB',
      measured: `${(bytes / 1_000).toFixed(0)} kB`,
      range: '',
      yardstick: '',
      ratio: null,
      isMet: bytes <= 250_000,
    },
  ];
}
