/**
 * Tests the account page in a real browser: by keyboard alone, without scripts, in light and dark, on phone and
 * desktop.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { axeFindings } from '../../support/axe.ts';
import { launchBrowser, SharedPage } from '../../support/browser.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { secretPattern } from '../../support/signed-in.ts';
import { Served } from '../served.ts';

/** Both widths and both colour schemes: no axe rule depends on the combination of a scheme and a width. */
const views = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

describe.skipIf(!isInstalled('browser'))(titled('the account page in a browser', 'browser'), () => {
  let served: Served;
  let browser: Browser;
  let scripted: SharedPage;
  let secret: string;
  let accountId: string;

  beforeAll(async () => {
    served = await Served.start();
    ({ secret, id: accountId } = await served.account());
    await served.use(accountId);
    browser = await launchBrowser();
    scripted = await SharedPage.open(browser);
  });
  afterAll(async () => {
    await browser.close();
    await served.stop();
  });

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Moves the focus on until it is on the element with this name. */
  const tabTo = async (page: Page, name: string) => {
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent',
      );
    for (let tabs = 0; tabs < 60; tabs++) {
      await press(page, 'Tab');
      if ((await focused()).trim() === name) return;
    }
    throw new Error(`The keyboard does not come to ${name}.`);
  };
  const enter = (page: Page) => Promise.all([page.waitForNavigation(), press(page, 'Enter')]);
  const click = (page: Page, element: Locator) => Promise.all([page.waitForNavigation(), element.click()]);
  const signIn = async (page: Page) => {
    await page.goto(`${served.url}/account`);
    await page.getByLabel('API key').fill(secret);
    await click(page, page.getByRole('button', { name: 'Sign in' }));
  };

  test('works by keyboard alone, without scripts, from sign-in to a new key and its revocation', async () => {
    const plain = await SharedPage.open(browser, { javaScriptEnabled: false });
    const page = await plain.visit(`${served.url}/account`);
    await tabTo(page, 'API key');
    await page.keyboard.type(secret);
    await enter(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your account');
    await tabTo(page, 'Name');
    await page.keyboard.type('By keyboard');
    await tabTo(page, 'Create key');
    await enter(page);
    const made = await page.locator('#key').textContent();
    expect(made).toMatch(secretPattern);
    await tabTo(page, 'Back to your account');
    await enter(page);
    expect(await page.content()).not.toContain(made ?? '');
    await tabTo(page, 'Revoke By keyboard');
    await press(page, 'Enter');
    await tabTo(page, 'Revoke this key: By keyboard');
    await enter(page);
    expect(await page.getByRole('status').textContent()).toBe(
      'The key is revoked. The service refuses it from now on.',
    );
    await tabTo(page, 'Sign out');
    await enter(page);
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.');
  });

  test('shows a new key once: not after a reload, nor on going back', async () => {
    const page = await scripted.turn();
    await signIn(page);
    await click(page, page.getByRole('button', { name: 'Create key' }));
    expect(await page.content()).toMatch(secretPattern);
    // As a browser does that keeps whole pages for going back.
    await page.evaluate("dispatchEvent(new Event('pagehide'))");
    expect(await page.content()).not.toMatch(secretPattern);
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This form was sent already');
    await page.goBack();
    expect(await page.content()).not.toMatch(secretPattern);
  });

  test('can neither be framed by another page nor changed by a form of another site', async () => {
    const page = await scripted.turn();
    await signIn(page);
    const form = `<iframe src="${served.url}/account"></iframe><form method="post" action="${served.url}/account"><input name="action" value="delete-account"><input name="confirm" value="yes"><button>Win</button></form>`;
    const other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(form, { headers: { 'Content-Type': 'text/html' } }),
    });
    await page.goto(other.url.href);
    const frame = page.frames()[1];
    expect(await frame?.content()).not.toContain('Your account');
    const [refused] = await Promise.all([
      page.waitForResponse(`${served.url}/account`),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    expect(refused.status()).toBe(403);
    expect(served.opened.state.accounts.list()).toHaveLength(1);
    await other.stop(true);
  });

  test('fits the screen and passes axe in every state, light and dark, on phone and desktop', async () => {
    const page = await scripted.turn();
    const found: string[] = [];
    const look = async (state: string) => {
      for (const { width, colorScheme } of views) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        const findings = [...(await axeFindings(page)), ...(wide > width ? [`is ${wide} px wide`] : [])];
        found.push(...findings.map((finding) => `${state}, ${width} px, ${colorScheme}: ${finding}`));
      }
    };
    await page.goto(`${served.url}/account`);
    await look('signing in');
    await page.getByLabel('API key').fill('lei_live_guess');
    await click(page, page.getByRole('button', { name: 'Sign in' }));
    await look('refused');
    scripted.complaints.length = 0;
    await signIn(page);
    await page.getByLabel('Name', { exact: true }).fill('W'.repeat(60));
    await click(page, page.getByRole('button', { name: 'Create key' }));
    await look('a new key');
    await click(page, page.getByRole('link', { name: 'Back to your account' }));
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await look('the account, unfolded');
    expect(scripted.complaints).toEqual([]);
    await page.getByLabel('New name').first().fill('\u200b');
    await click(page, page.getByRole('button', { name: 'Save name' }).first());
    await look('not changed');
    await page.goto(`${served.url}/account?done=key-named`);
    await look('changed');
    expect(found).toEqual([]);
  });
});
