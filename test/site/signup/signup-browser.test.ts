import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser, SharedPage } from '../../support/browser.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { secretPattern } from '../../support/signed-in.ts';
import { until } from '../../support/steady-load.ts';
import { Served } from '../served.ts';

/** Both widths and both colour schemes: nothing depends on the combination of a scheme and a width. */
const views = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'phone-dark', width: 360, height: 740, colorScheme: 'dark' },
] as const;

describe.skipIf(!isInstalled('browser'))(
  titled('the sign-up page in a browser without scripts', 'browser'),
  () => {
    let served: Served;
    let url: string;
    let browser: Browser;
    let plain: SharedPage;
    let session: CDPSession;

    beforeAll(async () => {
      served = await Served.start();
      url = `${served.url}/signup`;
      browser = await launchBrowser();
      plain = await SharedPage.open(browser, { javaScriptEnabled: false });
      session = await plain.page.context().newCDPSession(plain.page);
    });
    afterAll(async () => {
      await browser.close();
      await served.stop();
    });

    async function fill(page: Page, email: string): Promise<void> {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Company name').fill('Analytical Engines Ltd');
      await page.getByLabel('Intended use').fill('We check our suppliers.');
    }

    const send = (page: Page) => page.getByRole('button', { name: 'Create account and show key' }).click();

    /** Nothing may overflow to the right. A page is wider for a moment, until the browser has its width from its head. */
    async function expectFit(view: (typeof views)[number]): Promise<void> {
      await until(async () => {
        const { cssContentSize } = await session.send('Page.getLayoutMetrics');
        return cssContentSize.width <= view.width;
      });
    }

    for (const view of views) {
      test(`shows form, faults and key at ${view.name}`, async () => {
        const page = await plain.visit(url, view);
        await expectFit(view);

        // The browser accepts this address; the service does not.
        await fill(page, 'ada@example');
        await send(page);
        expect(await page.title()).toBe('Error: Get an API key');
        await expectFit(view);
        expect(await page.getByLabel('Company name').inputValue()).toBe('Analytical Engines Ltd');

        await page.getByLabel('E-mail address').fill(`${view.name}@example.com`);
        await send(page);
        const secret = await page.locator('#key').textContent();
        expect(secret).toMatch(secretPattern);
        expect(await page.locator('#try').textContent()).toContain(secret);
        await expectFit(view);
        expect(served.opened.ask({ authorization: `Bearer ${secret}` }).outcome).toBe('admitted');

        expect(plain.complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
      });
    }

    test('shows the key once: not after a reload, nor on going back', async () => {
      const page = await plain.visit(url);
      await fill(page, 'once@example.com');
      await send(page);
      expect(await page.content()).toMatch(secretPattern);
      await page.reload();
      expect(await page.content()).not.toMatch(secretPattern);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This form was sent already');
      await page.goBack();
      expect(await page.content()).not.toMatch(secretPattern);
    });

    test('can be filled in and sent with the keyboard alone, in reading order', async () => {
      const page = await plain.visit(url);
      const typed = ['keyboard@example.com', 'Keys & Co', 'Typing'];
      // The first link skips the navigation.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      for (const text of typed) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Tab');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(await page.content()).toMatch(secretPattern);
    });

    test('has a button that copies the key, if scripts run', async () => {
      const scripted = await SharedPage.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await scripted.visit(url);
      await fill(page, 'copies@example.com');
      await send(page);
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await page.getByText('The key is copied.').waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe((await page.locator('#key').textContent()) ?? '');
      expect(copied).toMatch(secretPattern);
      await page.getByRole('button', { name: 'Copy the command' }).click();
      await page.getByText('The command is copied.').waitFor();
      const command = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(command).toBe((await page.locator('#try').textContent()) ?? '');
      expect(scripted.complaints).toEqual([]);
    });

    test('has no such button without scripts', async () => {
      const page = await plain.visit(url);
      await fill(page, 'plain@example.com');
      await send(page);
      await page.locator('#key').waitFor();
      expect(await page.locator('#copy').isVisible()).toBe(false);
    });

    test('creates no account through a form of another site, or of a page without an address', async () => {
      const page = await plain.visit(url);
      const fields = ['email', 'company', 'use'].map(
        (name) => `<input name="${name}" value="a@example.com">`,
      );
      const form = `<form method="post" action="${url}">${fields.join('')}<button>Win</button></form>`;
      const html = { 'Content-Type': 'text/html' };
      const other = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () => new Response(form, { headers: html }),
      });
      const before = served.opened.state.accounts.list().length;
      for (const address of [other.url.href, `data:text/html,${encodeURIComponent(form)}`]) {
        await page.goto(address);
        const [refused] = await Promise.all([
          page.waitForResponse(url),
          page.getByRole('button', { name: 'Win' }).click(),
        ]);
        expect([address, refused.status()]).toEqual([address, 403]);
      }
      expect(served.opened.state.accounts.list()).toHaveLength(before);
      await other.stop(true);
    });
  },
);
