/**
 * Tests the page of a company in a real browser: the picture of its ownership by mouse and keyboard, copying and
 * files.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, SharedPage, unfoldPicture } from '../../support/browser.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const allianz = '529900K9B0N5BT694847';
const africa = '9695009HV2986MDEQ760';

describe.skipIf(!isInstalled('browser'))(titled('the page of a company', 'browser'), () => {
  let service: TestService;
  let browser: Browser;
  let scripted: SharedPage;
  let plain: SharedPage;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
    scripted = await SharedPage.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    plain = await SharedPage.open(browser, { javaScriptEnabled: false });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** Opens the page of a company with its picture drawn. */
  async function open(lei: string) {
    const page = await scripted.visit(`${service.baseUrl}/company/${lei}`, { height: 900 });
    await unfoldPicture(page);
    const card = (of: string) => page.locator(`.company[data-lei="${of}"]`);
    return { page, card };
  }

  const isShown = async (page: Page, count: number) => page.locator(`[data-shown="${count}"]`).waitFor();

  test('draws who owns whom, expands and collapses on demand, without an error in the browser', async () => {
    const { page, card } = await open(allianz);
    expect(await page.getByRole('img').getAttribute('aria-label')).toStartWith(
      'Ownership of Allianz SE: 8 companies',
    );
    expect(await card(africa).textContent()).toBe('ALLIANZ AFRICAFrance · Active+15');
    await card(africa).locator('.pill').click();
    await isShown(page, 23);
    await card(africa).locator('.pill').click();
    await isShown(page, 8);
    expect(scripted.complaints).toEqual([]);
  });

  test('can be explored by keyboard alone: to a company, what is below it, and its page', async () => {
    const { page } = await open(allianz);
    await page.locator('.tools button').last().focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('stage');
    const chosen = page.locator('.chosen-company');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    const name = (await chosen.locator('a').textContent()) ?? '';
    expect(name).toBe('ALLIANZ AFRICA');
    await page.keyboard.press('ArrowUp');
    expect(await chosen.locator('a').textContent()).toBe('Allianz SE');
    await page.keyboard.press('Enter');
    await isShown(page, 1);
    await page.keyboard.press('Enter');
    await isShown(page, 8);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  test('shows parents above, labelled by kind', async () => {
    const { page, card } = await open(africa);
    expect(await card(allianz).textContent()).toContain('Direct and ultimate parent');
    await page.locator('.stage').press('ArrowUp');
    expect(await page.locator('.chosen-company a').textContent()).toBe('Allianz SE');
  });

  test('saves the picture as SVG and PNG, which look the same outside the page', async () => {
    const { page } = await open(allianz);
    const save = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(`[data-tool="${kind}"]`).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`Ownership-of-Allianz-SE.${kind}`);
      return readFileSync(await download.path());
    };
    const vector = (await save('svg')).toString();
    expect(vector).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"');
    expect(vector).toContain('ALLIANZ AFRICA');
    expect(vector).toContain('fill="rgb(255, 255, 255)"');
    expect(vector).not.toContain('class=');
    const image = await save('png');
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    expect(image.readUInt32BE(16)).toBeGreaterThan(800);
  });

  test('search, company and picture can be reached by keyboard alone', async () => {
    const page = await scripted.visit(service.baseUrl);
    await page.locator('#q').focus();
    await page.keyboard.insertText('allianz africa');
    await page.locator('[role="option"]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ALLIANZ AFRICA' }).waitFor();
    await page.locator('.tools').waitFor();
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate<string>('document.activeElement.className')) === 'stage') break;
    }
    await page.locator('[data-shown]').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('.chosen-company a', { hasText: 'Allianz SE' }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Allianz SE' }).waitFor();
  });

  test('works below the path of the base URL, behind a proxy that strips the path', async () => {
    let below: TestService | null = null;
    const proxy = Bun.serve({
      port: 0,
      fetch: ({ url, headers }) =>
        fetch(url.replace(/^http:\/\/[^/]+\/lei\/data/, `http://127.0.0.1:${below?.port}`), {
          headers,
          decompress: false,
        }),
    });
    const base = `http://localhost:${proxy.port}/lei/data`;
    below = await startTestService({ environment: { LEI_BASE_URL: base } });
    const page = await scripted.visit(`${base}/company/${africa}`);
    await unfoldPicture(page);
    await page.locator('.stage').press('ArrowUp');
    await page.locator('.chosen-company a').click();
    await page.getByRole('heading', { level: 1, name: 'Allianz SE' }).waitFor();
    expect(page.url()).toBe(`${base}/company/${allianz}`);
    await proxy.stop(true);
    await below.stop();
  });

  test('copies the LEI', async () => {
    const { page } = await open(allianz);
    await page.getByRole('button', { name: 'Copy the LEI' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(allianz);
  });

  test('is printed by its keys once the picture is drawn, with its lists, and without forms and commands', async () => {
    const page = await scripted.visit(`${service.baseUrl}/company/${allianz}`, { height: 600 });
    await page.evaluate(
      'window.print = () => { document.body.dataset.printed = document.querySelectorAll("[data-shown]").length; }',
    );
    await page.keyboard.press('Control+p');
    await page.locator('body[data-printed="1"]').waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const shown of ['.stage', '#addresses', '.children li >> nth=-1', '.source .printed'])
      expect([shown, await page.locator(shown).first().isVisible()]).toEqual([shown, true]);
    for (const left of ['header.site', '.contents', '.tools', '#programs', '.json', 'button'])
      expect([left, await page.locator(left).first().isVisible()]).toEqual([left, false]);
  });

  test('has the same content without scripts, and shows no button that does nothing', async () => {
    const page = await plain.visit(`${service.baseUrl}/company/${allianz}`);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(await page.locator('[data-picture]').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All 21' }).click();
    await page.getByRole('link', { name: 'ALLIANZ AFRICA' }).click();
    await page.getByRole('heading', { level: 1, name: 'ALLIANZ AFRICA' }).waitFor();
    await page.getByRole('link', { name: 'Allianz SE' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Allianz SE' }).waitFor();
  });

  test('explains when the picture can’t be loaded', async () => {
    const page = await scripted.turn();
    await page.route('**/ownership?*', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${service.baseUrl}/company/${allianz}`);
    await page.locator('.stage').scrollIntoViewIfNeeded();
    await page.getByText('The picture could not be loaded just now.').waitFor();
  });
});
