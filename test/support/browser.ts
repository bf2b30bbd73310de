/** Starts the browser for tests of pages (Debian's chromium or the machine's chrome) and checks its pages. */
import { expect } from 'bun:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { pathOf } from './programs.ts';

/**
 * The longest wait for the browser's start, a page or an element. A busy machine needs more than the thirty seconds of
 * Playwright. A test has three minutes: a failure then still says what was waited for.
 */
const waitMsMax = 150_000;

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: pathOf('browser'),
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: waitMsMax,
  });
  browser.on('context', (context) => context.setDefaultTimeout(waitMsMax));
  return browser;
}

/** @returns a list that grows by each message and error of the page */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Expects that the page can't be scrolled sideways. */
export async function expectFitsWidth(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Unfolds the picture on the page of a company, which a narrow window and a large group fold, and waits until it is drawn. */
export async function unfoldPicture(page: Page): Promise<void> {
  const fold = page.locator('[data-picture]');
  await fold.locator('summary').waitFor();
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click();
  await fold.locator('.stage').scrollIntoViewIfNeeded();
  await page.locator('[data-shown]').waitFor();
}
