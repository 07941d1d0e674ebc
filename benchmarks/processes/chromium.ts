// Debian's Chromium, headless and without its own traffic. Never one that a package would download.
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** Starts it; throws where it is not installed. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
  if (executablePath === undefined) throw new Error('Chromium is missing: apt-get install chromium');
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run'],
  });
}
