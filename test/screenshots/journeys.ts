/** The pages of which pictures are made, and how a browser gets there. */
import type { Page } from 'playwright-core';

export interface Journey {
  readonly name: string;
  /** The looks of it in the README: none for pages that it does not show. */
  readonly inReadme: readonly { readonly view: 'desk' | 'phone'; readonly scheme: 'light' | 'dark' }[];
  go(page: Page, origin: string): Promise<void>;
}

const atDesk = [{ view: 'desk', scheme: 'light' }] as const;

/** A page that only needs its address. */
function at(name: string, path: string, inReadme: Journey['inReadme'] = []): Journey {
  return { name, inReadme, go: async (page, origin) => void (await page.goto(`${origin}${path}`)) };
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
  at('search', '/?q=bank&country=DE', atDesk),
  at('search-identifier', '/?q=XETR'),
  at('search-none', '/?q=qqqqxxxxzzzz'),
  at('search-fault', '/?q=a'),
  at('company', '/company/7LTWFZYICNSX8D621K86'),
  {
    name: 'ownership',
    inReadme: atDesk,
    async go(page, origin) {
      await page.goto(`${origin}/company/7LTWFZYICNSX8D621K86`);
      await page.locator('[role="img"]').first().waitFor();
    },
  },
  at('company-unknown', '/company/213800WSGIIZCXF1P572'),
  at('signup', '/signup'),
  at('sign-in', '/account'),
  { name: 'account', inReadme: atDesk, go: signIn },
  at('problem', '/problems/rate-limited'),
  at('problems', '/problems'),
  at('docs', '/docs'),
];

/** Signs up, asks the API a little with the key, and signs in with it. */
async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/signup`);
  await page.getByLabel('E-mail address').fill(`ada.${crypto.randomUUID()}@example.com`);
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
