/** The API reference in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { browserPath, launchBrowser, sayNotRun } from '../../support/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';

if (browserPath === null) sayNotRun('the API reference in a real browser');

describe.if(browserPath !== null)('the API reference', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    // The setting of a container whose address only its host knows.
    service = await startTestService({ environment: { LEI_HOST: '0.0.0.0' } });
    origin = `http://localhost:${service.port}`;
    browser = await launchBrowser(browserPath ?? '');
  }, 30_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('asks its own address with the examples in its fields, without an error in the browser', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
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
  }, 30_000);
});
