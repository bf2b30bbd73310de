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
  at('signup', '/signup'),
  at('problem', '/problems/rate-limited'),
  at('problems', '/problems'),
  at('docs', '/docs'),
];
