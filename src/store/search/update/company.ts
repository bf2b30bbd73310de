/**
 * Defines the complete content of the index about one company: compared before and after a delta to find what changes.
 */
import { hashText } from '../../../bytes/hash.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import { bicKeys, type HashedKey, type IndexedName, prepareCompany } from '../build/prepared-company.ts';
import { cardHash } from '../index/cards.ts';
import { gradeWith } from '../score/grades.ts';
import type { CompanyFacts } from '../search-reader.ts';

export interface IndexedCompany {
  readonly entity: number;
  readonly lei: string;
  readonly grade: number;
  readonly names: readonly IndexedName[];
  /** The terms of all names and filters, each once. */
  readonly terms: ReadonlySet<string>;
  /** The keys that find the company as a whole. */
  readonly keys: readonly HashedKey[];
  /** The card's byte about the legal name's first term. */
  readonly cardMark: number;
}

/** A company whose document or content changes. */
export interface RewrittenCompany {
  readonly before: IndexedCompany | null;
  readonly after: IndexedCompany;
  /** Its document; null for one that the index lacks. */
  readonly from: number | null;
  readonly to: number;
}

export function indexedCompany(facts: CompanyFacts): IndexedCompany {
  const { names, grade, countryTerm, statusTerm, keys } = prepareCompany(facts);
  const filters = [countryTerm, statusTerm].filter((term) => term !== null);
  const core = names[0]?.terms.find((term) => !isForm(term));
  return {
    entity: facts.entity,
    lei: facts.lei,
    grade: gradeWith(grade, facts.directChildren),
    names,
    terms: new Set([...names.flatMap(({ terms }) => terms), ...filters]),
    keys: [...keys, ...facts.bics.flatMap(bicKeys)],
    cardMark: core === undefined ? 0 : cardHash(hashText(core, 0)),
  };
}
