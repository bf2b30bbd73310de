/**
 * Makes the pictures of the pages that the README shows, over the bundled sample: `bun run screenshots`. With a folder
 * as the argument it writes pictures of every page there, for desktop and phone, in light and dark.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startService } from '../bench/harness/data.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Journey, journeys } from './journeys.ts';

const views = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;
type Look = { readonly view: keyof typeof views; readonly scheme: 'light' | 'dark' };

const everyLook: readonly Look[] = [
  { view: 'desk', scheme: 'light' },
  { view: 'desk', scheme: 'dark' },
  { view: 'phone', scheme: 'light' },
  { view: 'phone', scheme: 'dark' },
];

const readmeFolder = join(import.meta.dir, '..', '..', 'docs', 'images');
const [folder, ...names] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'lei-screenshots-'));
const service = await startService({ dataDir }, { LEI_SAMPLE: 'on', LEI_WORKERS: '1' });
const browser = await launchBrowser();
try {
  for (const journey of journeys) {
    if (names.length > 0 && !names.includes(journey.name)) continue;
    const looks = folder === undefined ? journey.inReadme : everyLook;
    for (const look of looks) await picture(browser, journey, look);
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function picture(from: Browser, { name, go }: Journey, { view, scheme }: Look): Promise<void> {
  const context = await from.newContext({ viewport: views[view], colorScheme: scheme });
  const page = await context.newPage();
  await go(page, service.url);
  const isWhole = folder !== undefined;
  const path = isWhole ? join(folder, `${name}-${view}-${scheme}.png`) : join(readmeFolder, `${name}.png`);
  await page.screenshot({ path, fullPage: isWhole });
  process.stdout.write(`${path}\n`);
  await context.close();
}
