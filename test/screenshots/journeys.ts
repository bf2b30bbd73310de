/** The pages that pictures are made of, and how a browser reaches them. */
import type { Page } from 'playwright-core';
import { unfoldPicture } from '../support/browser.ts';
import { leiOfParent } from '../support/parent-of-many.ts';

export const manyChildren = 580;

export interface Journey {
  readonly name: string;
  /** Its variants in the README; none for pages that it does not show. */
  readonly inReadme: readonly { readonly view: 'desk' | 'phone'; readonly scheme: 'light' | 'dark' }[];
  /** What the service holds: the bundled sample, also if absent; nothing yet; a parent of {@link manyChildren}. */
  readonly of?: 'sample' | 'nothing' | 'many';
  go(page: Page, origin: string): Promise<void>;
}

const atDesk = [{ view: 'desk', scheme: 'light' }] as const;

/** A page that only needs its address. */
function at(name: string, path: string, inReadme: Journey['inReadme'] = []): Journey {
  return { name, inReadme, go: async (page, origin) => void (await page.goto(`${origin}${path}`)) };
}

/** The page of a company with its picture drawn. */
function picture(name: string, lei: string, inReadme: Journey['inReadme'] = []): Journey {
  return {
    name,
    inReadme,
    async go(page, origin) {
      await page.goto(`${origin}/company/${lei}`);
      await unfoldPicture(page);
    },
  };
}

export const journeys: readonly Journey[] = [
  at('home', '/'),
  {
    name: 'suggestions',
    inReadme: atDesk,
    async go(page, origin) {
      await page.goto(origin);
      await page.locator('#q').pressSequentially('allianz');
      await page.locator('[role="option"]').nth(2).waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  at('search', '/?q=bank&status=ISSUED', atDesk),
  { name: 'search-filters', inReadme: [], go: unfoldFilters },
  at('search-identifier', '/?q=XETR'),
  at('search-none', '/?q=qqqqxxxxzzzz'),
  at('search-fault', '/?q=a'),
  at('match-form', '/match'),
  { name: 'match', inReadme: [], go: matchList },
  at('company', '/company/7LTWFZYICNSX8D621K86'),
  at('company-small', '/company/213800E5Z6QRDSMZMK84'),
  at('company-fund', '/company/097900BEJX0000002337'),
  at('company-branch', '/company/213800BS5P63OO33G366'),
  at('company-retired', '/company/529900QX3EUYVX04CV86'),
  at('company-exception', '/company/ZZZWS8Y6XVKM0Q9RJQ79'),
  at('company-long-name', '/company/815600C80BC587ADC121'),
  at('company-right-to-left', '/company/5493008JZL5CRK3VS565'),
  picture('ownership', '9695009HV2986MDEQ760', atDesk),
  picture('group', '529900K9B0N5BT694847'),
  { ...at('company-of-many', `/company/${leiOfParent(manyChildren)}`), of: 'many' },
  { ...picture('group-of-many', leiOfParent(manyChildren)), of: 'many' },
  picture('company-above', '549300W72VIS5XUH9H15'),
  at('company-children', '/company/529900K9B0N5BT694847/children?kind=ultimate'),
  at('company-history', '/company/529900K9B0N5BT694847/history'),
  at('company-unknown', '/company/5493001KJTIIGC8Y1R12'),
  at('company-fault', '/company/529900K9B0N5BT694848'),
  at('signup', '/signup'),
  at('sign-in', '/account'),
  { name: 'account', inReadme: atDesk, go: signIn },
  { name: 'limited', inReadme: [], go: exhaust },
  { ...at('unavailable', '/?q=bank'), of: 'nothing' },
  at('problem', '/problems/rate-limited'),
  at('problems', '/problems'),
  at('nothing', '/nothing'),
  { name: 'reference', inReadme: [], go: openReference },
  at('docs-api', '/docs/api'),
  at('docs-ext', '/docs/ext'),
  at('docs-gleif', '/docs/gleif'),
  at('guide', '/docs/use-the-api'),
  at('guide-bulk', '/docs/bulk'),
  at('guide-gleif', '/docs/coming-from-gleif'),
  at('guide-reconcile', '/docs/reconcile'),
  at('guide-assistants', '/docs/assistants'),
  at('glossary', '/docs/glossary'),
  at('guide-search', '/docs/search?q=cursor'),
];

async function openReference(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/docs`);
  await page.locator('#reference .info').waitFor();
}

/** Settings of the service for all journeys: many pages at once, and a client of its own for the one to the limit. */
export const limits = {
  LEI_LIMITS: 'enforce',
  LEI_PAGES_BURST: '300',
  LEI_PAGES_DAILY: '100000',
  LEI_TRUSTED_PROXIES: '127.0.0.1',
} as const;

/** Visits pages until the limit of a client of its own is reached. */
async function exhaust(page: Page, origin: string): Promise<void> {
  const headers = { 'X-Forwarded-For': '203.0.113.9' };
  const address = `${origin}/company/7LTWFZYICNSX8D621K86`;
  while ((await fetch(address, { headers })).status === 200);
  await page.setExtraHTTPHeaders(headers);
  await page.goto(address);
}

/** Opens the filters of a search, and the longest of them. */
async function unfoldFilters(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/?q=bank&country=DE&country=FR&category=GENERAL`);
  for (const text of ['Filters', 'Country']) {
    await page
      .locator('summary')
      .filter({ hasText: new RegExp(`^${text}`) })
      .click();
  }
}

const names = [
  'Allianz SE; Germany; München',
  'bank of jordan',
  'Deutche Bnk AG\tDE',
  'Banque Libano-Francaise SAL; Lebanon',
  'Nobody Knows This Company Ltd',
];

/** The first names of a service that starved may take it too long, as the page then says. */
async function matchList(page: Page, origin: string): Promise<void> {
  const again = page.getByRole('heading', { name: 'Please try again' });
  do {
    await page.goto(`${origin}/match`);
    await page.getByLabel('Names, one a line').fill(names.join('\n'));
    await page.getByRole('button', { name: 'Show candidates' }).click();
    await page.getByRole('heading', { name: 'Candidates' }).or(again).waitFor();
  } while (await again.isVisible());
}

/** There is one account per address. */
let signedUp = 0;

/** Signs up, uses the API a little with the key, and signs in with it. */
async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/signup`);
  await page.getByLabel('E-mail address').fill(`ada${signedUp++ || ''}@example.com`);
  await page.getByLabel('Company name').fill('Analytical Engines');
  await page.getByLabel('Intended use').fill('We check our suppliers.');
  await page.getByRole('button', { name: 'Create account and show key' }).click();
  const key = (await page.locator('#key').textContent()) ?? '';
  const headers = { Authorization: `Bearer ${key}` };
  for (let asked = 0; asked < 40; asked++) {
    const path = asked % 3 === 0 ? '/api/v1/search?q=bank' : '/api/v1/lei/7LTWFZYICNSX8D621K86';
    await fetch(`${origin}${path}`, { headers });
  }
  await page.goto(`${origin}/account`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
}
