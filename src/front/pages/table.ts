/** Lists every page that is made for each visit. */
import type { Config } from '../../config.ts';
import type { Publications } from '../contracts.ts';
import { childrenPage } from './company/children-page.ts';
import { companyPage } from './company/company-page.ts';
import { historyPage } from './company/history-page.ts';
import { ownershipData } from './company/ownership-data.ts';
import type { PageDefinition } from './definition.ts';
import { homePage } from './home/home.ts';
import { suggestions } from './home/suggestions.ts';

export function pageDefinitions(parts: {
  readonly config: Config;
  readonly publications: Publications;
}): readonly PageDefinition[] {
  const { config } = parts;
  return [
    homePage(parts),
    suggestions,
    companyPage(config),
    childrenPage(config),
    historyPage(config),
    ownershipData,
  ];
}
