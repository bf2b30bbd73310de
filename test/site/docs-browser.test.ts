/** Tests the API reference in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { runBlock, runners } from '../docs/run-blocks.ts';
import { axeFindings } from '../support/axe.ts';
import { expectFitsWidth, launchBrowser, SharedPage } from '../support/browser.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe.skipIf(!isInstalled('browser'))(titled('the API reference', 'browser'), () => {
  let service: TestService;
  let browser: Browser;
  let scripted: SharedPage;
  let origin: string;

  beforeAll(async () => {
    // The setting in a container whose address only its host knows.
    service = await startTestService({ environment: { LEI_HOST: '0.0.0.0' } });
    origin = `http://localhost:${service.port}`;
    browser = await launchBrowser();
    scripted = await SharedPage.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  describe('once it is loaded', () => {
    let page: Page;
    beforeAll(async () => {
      page = await scripted.visit(`${origin}/docs`);
      await page.locator('#reference .info').waitFor();
    });

    test('asks its own service with the examples in its fields, without an error in the browser', async () => {
      const asked = ['/api/v1/lei/213800E5Z6QRDSMZMK84', '/api/v1/search?q=deutsche%20bank&limit=20'];
      for (const [index, id] of ['Companies-getCompanyByLei', 'Search-searchCompanies'].entries()) {
        const operation = page.locator(`#operations-${id}`);
        await operation.locator('.opblock-summary-control').click();
        await operation.getByRole('button', { name: 'Execute' }).click();
        const status = operation.locator('.live-responses-table tbody .response-col_status').first();
        expect(await status.textContent()).toBe('200');
        const address = await operation.locator('.request-url pre').textContent();
        expect(address).toBe(`${origin}${asked[index]}`);
      }
      expect(scripted.complaints).toEqual([]);
    });

    test('copies the first call', async () => {
      await page.locator('.first-call').getByRole('button', { name: 'Copy' }).first().click();
      await page.getByText('Copied.').waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
        `curl ${origin}/api/v1/lei/529900K9B0N5BT694847`,
      );
    });

    test('shows a first call in curl, JavaScript and Python that prints the name of a company', async () => {
      const programs = await page.locator('.first-call pre code').allTextContents();
      const languages = ['console', 'js', 'python'] as const;
      expect(programs).toHaveLength(languages.length);
      for (const [index, language] of languages.entries()) {
        if (runners[language] === null) continue;
        const printed = language === 'console' ? '…"name":"Allianz SE"…' : 'Allianz SE München';
        const program = programs[index] ?? '';
        expect(program).toContain(`${origin}/api/v1/lei/`);
        await runBlock({ language, program, printed, line: index + 1 }, { environment: {} });
      }
    });
  });

  /** Unfolds one operation and sends its request. @returns the height of the unfolded operation before */
  async function ask(page: Page): Promise<number> {
    const operation = page.locator('#operations-Search-searchCompanies');
    await operation.locator('.opblock-summary-control').click();
    const { height = 0 } = (await operation.boundingBox()) ?? {};
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').waitFor();
    return height;
  }

  test.each<['light' | 'dark', number, number, number]>([
    ['light', 1280, 800, 1280],
    ['dark', 390, 844, 360],
  ])(
    'follows the system’s colour scheme (%s), has the width of the other pages and the first operation within a screen of %d by %d, and with an answer fits one %d wide and passes axe',
    async (colorScheme, width, height, narrow) => {
      const page = await scripted.visit(`${origin}/docs`, { colorScheme, width, height });
      const first = page.locator('.opblock').first();
      await first.waitFor();
      const { y = height, height: own = height } = (await first.boundingBox()) ?? {};
      expect(y + own).toBeLessThanOrEqual(height);
      const widthOf = (selector: string) =>
        page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().width`);
      const [content, operation] = [await widthOf('#content'), await widthOf('.opblock')];

      await page.setViewportSize({ width: narrow, height });
      const askedHeight = await ask(page);
      await page.locator('.live-responses-table pre[tabindex]').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(17, 21, 27)' : 'rgb(244, 245, 247)');
      if (width > 1000) expect(askedHeight).toBeLessThan(4_200);
      await expectFitsWidth(page);

      await page.setViewportSize({ width, height });
      await page.goto(`${origin}/docs/bulk`);
      expect(content).toBe(await widthOf('#content'));
      expect(operation).toBe(await widthOf('.sheet'));
    },
  );

  test('leads without scripts to a reference with the same operations', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    await page.getByRole('link', { name: 'readable reference' }).click();
    await page.getByRole('heading', { level: 2, name: 'A company by its LEI' }).waitFor();
    expect(await page.locator('.operation').count()).toBe(10);
  });
});
