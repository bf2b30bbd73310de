/** Starts the browser for tests of pages (Debian's chromium or the machine's chrome) and checks its pages. */
import { expect } from 'bun:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
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

/** How a page is shown. */
interface View {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/**
 * A page that tests use in turn, each as if it were new. Another one starts another process of the browser, for two
 * seconds of processor time and more.
 */
export class SharedPage {
  readonly page: Page;
  /** The messages and errors of the browser since the last turn began. */
  readonly complaints: string[] = [];
  /** The addresses requested since then. */
  readonly asked: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => this.asked.push(request.url()));
  }

  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<SharedPage> {
    const context = await browser.newContext(options);
    return new SharedPage(await context.newPage());
  }

  /** Begins a turn: forgets what the last one has changed. The next address that is opened begins the lists anew. */
  async turn({ width = 1280, height = 800, colorScheme = 'light' }: View = {}): Promise<Page> {
    const { page } = this;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().clearCookies();
    await page.setExtraHTTPHeaders({});
    await page.mouse.move(0, 0);
    await page.emulateMedia({ media: 'screen', colorScheme });
    await page.setViewportSize({ width, height });
    // Until then, the page of the last turn may still complain and ask.
    page.once('framenavigated', () => {
      this.complaints.length = 0;
      this.asked.splice(0, Number.POSITIVE_INFINITY, page.url());
    });
    return page;
  }

  /** Begins a turn at an address. */
  async visit(address: string, view?: View): Promise<Page> {
    const page = await this.turn(view);
    await page.goto(address);
    return page;
  }
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
