/** Tests the API reference in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { runBlock, runners } from '../docs/run-blocks.ts';
import { axeFindings } from '../support/axe.ts';
import { complaintsOf, expectFitsWidth, launchBrowser } from '../support/browser.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe.skipIf(!isInstalled('browser'))(titled('the API reference', 'browser'), () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    // The setting in a container whose address only its host knows.
    service = await startTestService({ environment: { LEI_HOST: '0.0.0.0' } });
    origin = `http://localhost:${service.port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('asks its own service with the examples in its fields, without an error in the browser', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${origin}/docs`);
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
    expect(complaints).toEqual([]);
  });

  /** Opens the page, unfolds one operation and sends its request. */
  async function openAsked(colorScheme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    const operation = page.locator('#operations-Search-searchCompanies');
    await operation.locator('.opblock-summary-control').click();
    const { height = 0 } = (await operation.boundingBox()) ?? {};
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').waitFor();
    return { context, page, height };
  }

  test.each<['light' | 'dark', number]>([
    ['light', 1280],
    ['dark', 360],
  ])(
    'follows the system’s colour scheme (%s, %d pixels wide), passes axe, and fits the screen',
    async (colorScheme, width) => {
      const { context, page, height } = await openAsked(colorScheme, width);
      await page.locator('.live-responses-table pre[tabindex]').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(17, 21, 27)' : 'rgb(244, 245, 247)');
      if (width > 1000) expect(height).toBeLessThan(4_200);
      await expectFitsWidth(page);
      await context.close();
    },
  );

  test.each([
    [1280, 800],
    [390, 844],
  ])(
    'has the width of the other pages and the first operation within a screen of %d by %d',
    async (width, height) => {
      const page = await browser.newPage({ viewport: { width, height } });
      await page.goto(`${origin}/docs`);
      const first = page.locator('.opblock').first();
      await first.waitFor();
      const { y = height, height: own = height } = (await first.boundingBox()) ?? {};
      expect(y + own).toBeLessThanOrEqual(height);
      const widthOf = (selector: string) =>
        page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().width`);
      const [content, operation] = [await widthOf('#content'), await widthOf('.opblock')];
      await page.goto(`${origin}/docs/bulk`);
      expect(content).toBe(await widthOf('#content'));
      expect(operation).toBe(await widthOf('.sheet'));
      await page.close();
    },
  );

  test('copies the first call', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    await page.locator('#reference .info').waitFor();
    await page.locator('.first-call').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      `curl ${origin}/api/v1/lei/529900K9B0N5BT694847`,
    );
    await context.close();
  });

  test('leads without scripts to a reference with the same operations', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    await page.getByRole('link', { name: 'readable reference' }).click();
    await page.getByRole('heading', { level: 2, name: 'A company by its LEI' }).waitFor();
    expect(await page.locator('.operation').count()).toBe(10);
    await context.close();
  });

  test('shows a first call in curl, JavaScript and Python that prints the name of a company', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/docs`);
    await page.locator('#reference .info').waitFor();
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
