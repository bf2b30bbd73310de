/** Tests the pages in a real browser: accessibility, keyboard, suggestions, and the same without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { journeys, limits } from '../screenshots/journeys.ts';
import { axeFindings } from '../support/axe.ts';
import { expectFitsWidth, launchBrowser, SharedPage } from '../support/browser.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** One page of each kind. Those of accounts and the interactive reference have tests of their own, in more states. */
const kindsOfPages = [
  ...['home', 'search', 'search-filters', 'search-fault', 'match-form', 'match'],
  ...['company', 'group', 'company-children', 'company-history', 'company-fault'],
  ...['signup', 'limited', 'problem', 'problems', 'nothing', 'docs-api', 'guide-bulk', 'guide-search'],
];

describe.skipIf(!isInstalled('browser'))(titled('the pages in a browser', 'browser'), () => {
  let service: TestService;
  let browser: Browser;
  let scripted: SharedPage;
  let plain: SharedPage;

  beforeAll(async () => {
    service = await startTestService({ environment: limits });
    browser = await launchBrowser();
    scripted = await SharedPage.open(browser);
    plain = await SharedPage.open(browser, { javaScriptEnabled: false });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const address = (path: string) => `${service.baseUrl}${path}`;

  const field = (page: Page) => page.locator('#q');
  const options = (page: Page) => page.locator('[role="option"]');

  describe('pass axe and fit the screen in light and dark, on desktop and phone, and load nothing from elsewhere', () => {
    test.each(journeys.filter(({ name }) => kindsOfPages.includes(name)))('$name', async ({ go }) => {
      const { complaints, asked } = scripted;
      const page = await scripted.turn();
      // No axe rule depends on the combination of a scheme and a width.
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        if (colorScheme === 'light') await go(page, service.baseUrl);
        expect(await axeFindings(page)).toEqual([]);
        await expectFitsWidth(page);
      }
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((each) => !each.startsWith(service.baseUrl))).toEqual([]);
      // The browser itself reports pages of errors.
      expect(complaints.filter((text) => !text.includes('responded with a status of'))).toEqual([]);
    });
  });

  test('are printed dark on white, without the navigation, also for a reader with a dark theme', async () => {
    const page = await scripted.visit(address('/'), { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours = (selector: string) =>
      page.evaluate<string[]>(
        `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('${selector}')))`,
      );
    expect(await colours('body')).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect(await colours('.note')).toEqual(['rgb(0, 0, 0)', 'rgb(233, 239, 252)']);
    expect(await page.locator('header.site').isVisible()).toBe(false);
  });

  test('take several values of a filter by keyboard, without scripts', async () => {
    const page = await plain.visit(address('/?q=bank'));
    const unfold = (text: string) => page.locator('summary').filter({ hasText: text }).press('Enter');
    await unfold('Filters');
    await unfold('Category');
    await page.getByRole('checkbox', { name: 'Fund' }).press('Space');
    await page.getByRole('checkbox', { name: 'Branch' }).press('Space');
    await unfold('Entity status');
    await page.getByRole('checkbox', { name: 'Active', exact: true }).press('Space');
    await Promise.all([
      page.waitForURL('**/?q=bank&**'),
      page.getByRole('button', { name: 'Search' }).click(),
    ]);
    expect(new URL(page.url()).search).toBe('?q=bank&entityStatus=ACTIVE&category=BRANCH&category=FUND');
    expect(await page.locator('summary').filter({ hasText: 'Category' }).textContent()).toBe(
      'Category: Branch, Fund',
    );
    await unfold('Filters');
    await unfold('Category');
    expect(
      await page
        .getByRole('checkbox', { checked: true })
        .evaluateAll((boxes) => boxes.map((box) => box.parentElement?.textContent?.trim())),
    ).toEqual(['Branch', 'Fund']);
  });

  test('match a list by keyboard on a phone, need no script for it, and show candidates that pass axe there and on a desktop', async () => {
    const page = await scripted.visit(address('/'), { colorScheme: 'dark', width: 360 });
    await page.getByRole('link', { name: 'Match up to 50 names' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Match names' }).waitFor();
    expect(await page.locator('script').count()).toBe(0);
    await page.getByLabel('Names, one a line').focus();
    await page.keyboard.insertText('Allianz SE; Germany\nAllianz\n"Nobody; Knows Ltd";DE\nx\n');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const candidates = page.getByRole('region', { name: 'Candidates' });
    await candidates.getByText('4 names:').waitFor();
    await candidates.getByRole('heading', { name: 'Nobody; Knows Ltd' }).waitFor();
    await candidates.locator('summary').first().press('Enter');
    await candidates.getByRole('link', { name: 'Allianz SE', exact: true }).first().waitFor();
    for (const [colorScheme, width] of [
      ['dark', 360],
      ['light', 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await expectFitsWidth(page);
      expect(await axeFindings(page)).toEqual([]);
    }
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
    expect((await file).suggestedFilename()).toBe('matches.csv');
  });

  test('suggest while somebody types; arrows choose, Escape closes, Enter opens the company', async () => {
    const page = await scripted.visit(address('/'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('allianz');
    await options(page).nth(1).waitFor();
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    const told = page.locator('.combobox [role="status"]');
    expect(await told.textContent()).toMatch(/^\d+ suggestions\.$/);
    expect(await axeFindings(page)).toEqual([]);

    await page.keyboard.press('ArrowDown');
    const id = await field(page).getAttribute('aria-activedescendant');
    const chosen = page.locator(`#${id}`);
    expect(await chosen.getAttribute('aria-selected')).toBe('true');
    expect(await chosen.textContent()).toContain('Allianz SE');
    await page.keyboard.press('ArrowUp');
    expect(await field(page).getAttribute('aria-activedescendant')).toBeNull();

    await page.keyboard.press('Escape');
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    expect(await field(page).inputValue()).toBe('allianz');

    await page.keyboard.insertText(' se');
    await options(page).filter({ hasText: 'Allianz SE' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await Promise.all([page.waitForURL('**/company/529900K9B0N5BT694847'), page.keyboard.press('Enter')]);
    expect(scripted.complaints).toEqual([]);
  });

  test('ask for suggestions once typing pauses, and show those for the latest text only', async () => {
    const page = await scripted.visit(address('/'));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/suggest?q=deutsche', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await field(page).fill('deutsche');
    await page.waitForRequest('**/suggest?q=deutsche');
    await field(page).fill('allianz');
    await options(page).first().waitFor();
    release();
    await field(page).fill('deutsche bank');
    await page.waitForResponse('**/suggest?q=deutsche%20bank');
    await options(page).filter({ hasText: 'DEUTSCHE BANK' }).first().waitFor();
    await field(page).fill('allianz');
    await options(page).filter({ hasText: 'Allianz SE' }).first().waitFor();
    const texts = scripted.asked
      .filter((each) => each.includes('/suggest?'))
      .map((each) => new URL(each).searchParams.get('q'));
    expect(texts).toEqual(['deutsche', 'allianz', 'deutsche bank']);
  });

  test('open the company of a clicked suggestion', async () => {
    const page = await scripted.visit(address('/'));
    await field(page).fill('allianz se');
    const option = options(page).filter({ hasText: 'Allianz SE' }).first();
    await Promise.all([page.waitForURL('**/company/529900K9B0N5BT694847'), option.click()]);
  });

  test('search without scripts, by keyboard alone, to the next page and to a company', async () => {
    const page = await plain.visit(address('/'));
    await field(page).focus();
    await page.keyboard.type('bank');
    await Promise.all([page.waitForURL('**/?q=bank*'), page.keyboard.press('Enter')]);
    expect(await page.locator('.hits li').count()).toBe(20);
    const first = await page.locator('.hits .name').first().textContent();
    await page.getByRole('link', { name: 'Next page' }).focus();
    await Promise.all([page.waitForURL('**cursor=*'), page.keyboard.press('Enter')]);
    expect(await page.locator('.hits .name').first().textContent()).not.toBe(first);
    expect(await page.locator('.hits').getAttribute('start')).toBe('21');
    await page.locator('.hits .name').first().focus();
    await Promise.all([page.waitForURL('**/company/*'), page.keyboard.press('Enter')]);
    expect(await page.locator('h1').count()).toBe(1);
  });
});
