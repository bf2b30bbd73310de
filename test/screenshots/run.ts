/**
 * Makes the pictures of the pages that the README shows, over the bundled sample: `bun run screenshots`. With a folder
 * as the argument it writes pictures of every page there, for desktop and phone, in light and dark.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startService } from '../bench/harness/data.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Journey, journeys, limits } from './journeys.ts';

const views = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

const readmeFolder = join(import.meta.dir, '..', '..', 'docs', 'images');
const [folder, ...names] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'lei-screenshots-'));
const service = await startService({ dataDir }, { ...limits, LEI_SAMPLE: 'on', LEI_WORKERS: '1' });
const browser = await launchBrowser();
try {
  for (const journey of journeys) {
    if (names.length > 0 && !names.includes(journey.name)) continue;
    if (folder === undefined) await picturesOf(browser, journey);
    else await everyPictureOf(browser, journey, folder);
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The pictures of the README show the window. */
async function picturesOf(from: Browser, { name, inReadme, go }: Journey): Promise<void> {
  for (const { view, scheme } of inReadme) {
    const page = await from.newPage({ viewport: views[view], colorScheme: scheme });
    await go(page, service.url);
    await save(page, join(readmeFolder, `${name}.png`), false);
    await page.close();
  }
}

/** Other pictures show the whole page. Both colour schemes are of one visit. */
async function everyPictureOf(from: Browser, { name, go }: Journey, to: string): Promise<void> {
  for (const view of ['desk', 'phone'] as const) {
    const page = await from.newPage({ viewport: views[view] });
    await go(page, service.url);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await save(page, join(to, `${name}-${view}-${colorScheme}.png`), true);
    }
    await page.close();
  }
}

async function save(page: Page, path: string, fullPage: boolean): Promise<void> {
  await page.screenshot({ path, fullPage });
  process.stdout.write(`${path}\n`);
}
