/** Tests the picture of a group with 2,000 children in a real browser: it never blocks the browser for long. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { runLoader } from '../../../src/loader/command/run-loader.ts';
import { loadRequest } from '../../../src/loader/load-request.ts';
import { layout } from '../../../src/publication/layout.ts';
import { movePointer } from '../../../src/publication/pointer.ts';
import { launchBrowser, SharedPage, unfoldPicture } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { parentOfMany } from '../../support/parent-of-many.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const children = 2_000;
/**
 * Cards that may appear in one turn of the browser's event loop, however fast the machine is. The script draws 40; the
 * page may count two of its turns as one.
 */
const cardsInTurnMax = 100;

/** Counts the cards that appear in one turn of the event loop. */
const countCards = `
  globalThis.mostInTurn = 0;
  let inTurn = 0;
  new MutationObserver((records) => {
    if (inTurn === 0) setTimeout(() => { inTurn = 0; }, 0);
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.classList?.contains('company')) inTurn++;
    mostInTurn = Math.max(mostInTurn, inTurn);
  }).observe(document, { childList: true, subtree: true });
`;

/** A data folder in which a publication with one parent of many children is active. */
async function dataOfMany(): Promise<{ readonly dataDir: string; readonly parent: string }> {
  const made = await parentOfMany(temporaryFolder('many'), children);
  const dataDir = temporaryFolder('many-data');
  const { manifest } = await runLoader(loadRequest({ dataDir, maxBadRows: 0.001 }, made.files), {});
  movePointer(layout(dataDir), manifest.id, new Date(), null);
  return { dataDir, parent: made.parent };
}

describe.skipIf(!isInstalled('browser'))(titled('the picture of a group of 2,000', 'browser'), () => {
  let service: TestService;
  let browser: Browser;
  let shared: SharedPage;
  let parent: string;
  beforeAll(async () => {
    const data = await dataOfMany();
    parent = data.parent;
    [service, browser] = await Promise.all([startTestService({ dataDir: data.dataDir }), launchBrowser()]);
    shared = await SharedPage.open(browser);
    await shared.page.addInitScript(countCards);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test.each([1280, 360])(
    'grows to a thousand companies on demand, mentions the others, and draws few cards at once (%d pixels wide)',
    async (width) => {
      const page = await shared.visit(`${service.baseUrl}/company/${parent}`, { width, height: 900 });
      await unfoldPicture(page);
      await page.locator('.more').first().click();
      const shown = Number(await page.locator('[data-shown]').getAttribute('data-shown'));
      expect(shown).toBeLessThan(200);
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.locator('[data-shown="1000"]').waitFor();
      expect(await page.locator('.stage .company').count()).toBe(1_000);
      await page.getByText('A picture shows at most 1,000 companies.').waitFor();
      const left = page.locator('.stage .note', { hasText: 'more are not in the picture' });
      expect(await left.locator('title').textContent()).toStartWith('1,001 more');
      expect(await page.evaluate<number>('mostInTurn')).toBeWithin(1, cardsInTurnMax + 1);
    },
  );

  test('links to the list of all of them, in pages', async () => {
    const page = await shared.visit(`${service.baseUrl}/company/${parent}`);
    await page.getByRole('link', { name: 'All 2,000 companies it owns directly' }).click();
    await page.getByText('Page 1 of 20').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('these are 101 to 200').waitFor();
    const dates = `[...document.querySelectorAll('tbody td[data-value]')].map((cell) => cell.dataset.value)`;
    const shown = () => page.evaluate<string[]>(dates);
    expect(await shown()).toHaveLength(100);
    await page.getByRole('button', { name: 'Since' }).click();
    expect(await shown()).toEqual((await shown()).toSorted());
    await page.getByRole('button', { name: 'Since' }).click();
    expect(await shown()).toEqual((await shown()).toSorted().toReversed());
  });
});
