/** Tests the reconciliation service from another site's page in a real browser, as OpenRefine's own page uses it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';

const bank = '7LTWFZYICNSX8D621K86';
const withBrowser = isInstalled('browser');

let service: TestService;
let elsewhere: ReturnType<typeof Bun.serve>;
let browser: Browser;

beforeAll(async () => {
  if (!withBrowser) return;
  service = await startTestService();
  elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(`<iframe src="${service.baseUrl}/reconcile/preview?id=${bank}"></iframe>`, {
        headers: { 'Content-Type': 'text/html' },
      }),
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  if (!withBrowser) return;
  await browser.close();
  await elsewhere.stop(true);
  await service.stop();
});

test.skipIf(!withBrowser)(
  titled('it frames the preview, which keeps its own rules, and asks by GET and POST', 'browser'),
  async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${elsewhere.port}/`);
    const preview = page.frameLocator('iframe');
    expect(await preview.locator('h1').textContent()).toBe('DEUTSCHE BANK AKTIENGESELLSCHAFT');
    // Its only style is allowed by its hash.
    const frame = page.frames().at(-1);
    expect(await frame?.evaluate("getComputedStyle(document.querySelector('dl')).display")).toBe('grid');
    const answers = await page.evaluate(async (address) => {
      const manifest = JSON.parse(await (await fetch(address)).text());
      const body = new URLSearchParams({ queries: '{"q":{"query":"deutsche bank"}}' });
      const posted = await fetch(address, { method: 'POST', body });
      return { versions: manifest.versions, results: JSON.parse(await posted.text()) };
    }, `${service.baseUrl}/reconcile`);
    expect(answers).toMatchObject({ versions: ['0.2'], results: { q: { result: [{ id: bank }] } } });
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
    await page.close();
  },
);
