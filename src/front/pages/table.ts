/** Every page that is made for each visit. */
import type { Config } from '../../config.ts';
import type { Publications } from '../contracts.ts';
import type { PageDefinition } from './definition.ts';
import { homePage } from './home/home.ts';
import { suggestions } from './home/suggestions.ts';

export interface PageParts {
  readonly config: Config;
  readonly publications: Publications;
}

export function pageDefinitions(parts: PageParts): readonly PageDefinition[] {
  return [homePage(parts), suggestions];
}
