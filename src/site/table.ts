/** Lists every page that is made for each visit. */
import type { Config } from '../config.ts';
import type { Publications } from '../http/publications.ts';
import { childrenPage } from './company/children-page.ts';
import { companyPage } from './company/company-page.ts';
import { historyPage } from './company/history.ts';
import { ownershipData } from './company/ownership.ts';
import type { PageDefinition } from './definition.ts';
import { homePage, suggestions } from './home/home.ts';

export function pageDefinitions(parts: {
  readonly config: Config;
  readonly publications: Publications;
}): readonly PageDefinition[] {
  return [homePage(parts), suggestions, companyPage, childrenPage, historyPage, ownershipData];
}
