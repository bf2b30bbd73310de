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
import { runLei } from '../support/lei-here.ts';
import { parentOfMany } from '../support/parent-of-many.ts';
import { type Journey, journeys, limits, manyChildren } from './journeys.ts';

const views = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

const readmeFolder = join(import.meta.dir, '..', '..', 'docs', 'images');
const [folder, ...names] = process.argv.slice(2);
const folderOfData = mkdtempSync(join(tmpdir(), 'lei-screenshots-'));
const services = {
  sample: await start('sample', 'on'),
  nothing: await start('nothing', 'off'),
  many: await startWithMany(),
};
const browser = await launchBrowser();
try {
  for (const journey of journeys) {
    if (names.length > 0 && !names.includes(journey.name)) continue;
    if (folder === undefined) await picturesOf(browser, journey);
    else await everyPictureOf(browser, journey, folder);
  }
} finally {
  await browser.close();
  for (const service of Object.values(services)) await service.stop();
  rmSync(folderOfData, { recursive: true, force: true });
}

function start(data: string, sample: 'on' | 'off') {
  return startService(
    { dataDir: join(folderOfData, data) },
    { ...limits, LEI_SAMPLE: sample, LEI_WORKERS: '1' },
  );
}

async function startWithMany() {
  const { files } = await parentOfMany(join(folderOfData, 'files'), manyChildren);
  const loaded = await runLei(join(folderOfData, 'many'), 'load', ...files);
  if (loaded.code !== 0) throw new Error(loaded.stderr);
  return start('many', 'off');
}

/** The pictures of the README show the window. */
async function picturesOf(from: Browser, { name, inReadme, of = 'sample', go }: Journey): Promise<void> {
  for (const { view, scheme } of inReadme) {
    const page = await from.newPage({ viewport: views[view], colorScheme: scheme });
    await go(page, services[of].url);
    await save(page, join(readmeFolder, `${name}.png`), false);
    await page.close();
  }
}

/** Other pictures show the whole page. Both colour schemes are of one visit. */
async function everyPictureOf(
  from: Browser,
  { name, of = 'sample', go }: Journey,
  to: string,
): Promise<void> {
  for (const view of ['desk', 'phone'] as const) {
    const page = await from.newPage({ viewport: views[view] });
    await go(page, services[of].url);
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
