/** Builds search indexes from companies with their BICs and their number of children. */
import type { Environment } from '../../src/lmdb.ts';
import { prepareCompany } from '../../src/store/search/build/prepared-company.ts';
import { createIndexWriter } from '../../src/store/search/build/rows.ts';
import { createSearchBuilder } from '../../src/store/search/search-builder.ts';
import type { SearchDocument } from '../../src/store/search/search-reader.ts';

export interface LinkedCompany extends SearchDocument {
  readonly bics: readonly string[];
  readonly directChildren: number;
}

export interface Indexing {
  add(company: LinkedCompany): void;
  /** Writes the index. Call it once. */
  finish(environment: Environment): void;
}

export function createIndexing(): Indexing {
  const builder = createSearchBuilder();
  const bics: { entity: number; bic: string }[] = [];
  const children: number[] = [];
  return {
    add(company) {
      builder.add(company.entity, prepareCompany(company));
      for (const bic of company.bics) bics.push({ entity: company.entity, bic });
      children[company.entity] = company.directChildren;
    },
    finish(environment) {
      const writer = createIndexWriter(environment);
      const links = { directChildren: Uint32Array.from(children), bics };
      writer.finish(builder.finish(links, writer.write, () => undefined));
    },
  };
}
