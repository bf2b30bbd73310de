/**
 * Defines the complete content of the index about one company: compared before and after a delta to find what changes.
 */
import { bucketOf, hashText } from '../../../bytes/hash.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import {
  bicKeys,
  filterOf,
  type IndexedName,
  identifierKeys,
  indexedNames,
  nameKeys,
} from '../build/indexed-company.ts';
import { countryTerm, keySeeds, statusTerm } from '../format.ts';
import { cardHash } from '../index/cards.ts';
import { gradeAlone, gradeWith } from '../score/grades.ts';
import type { CompanyFacts } from '../search-reader.ts';

export interface IndexedCompany {
  readonly entity: number;
  readonly lei: string;
  readonly grade: number;
  readonly names: readonly IndexedName[];
  /** Of all names and filters, each once. */
  readonly terms: ReadonlySet<string>;
  /** The keys that find the company as a whole. */
  readonly keys: readonly KeyEntry[];
  /** The card's byte about the legal name's first term. */
  readonly cardMark: number;
}

/** An entry of the table of keys, without its document. */
export interface KeyEntry {
  readonly bucket: number;
  readonly hash: number;
  readonly nameIndex: number;
}

/** @param keyBuckets of the index */
export function indexedCompany(facts: CompanyFacts, keyBuckets: number): IndexedCompany {
  const names = indexedNames(facts);
  const filters = [filterOf(facts.country, countryTerm), filterOf(facts.registrationStatus, statusTerm)];
  const texts = [...nameKeys(names), ...identifierKeys(facts), ...facts.bics.flatMap(bicKeys)];
  const core = names[0]?.terms.find((term) => !isForm(term));
  return {
    entity: facts.entity,
    lei: facts.lei,
    grade: gradeWith(gradeAlone(facts.entityStatus, facts.registrationStatus), facts.directChildren),
    names,
    terms: new Set([...names.flatMap(({ terms }) => terms), ...filters.filter((term) => term !== null)]),
    keys: texts.map(({ key, kind, nameIndex }) => ({
      bucket: bucketOf(hashText(key, keySeeds[kind][0]), keyBuckets),
      hash: hashText(key, keySeeds[kind][1]),
      nameIndex,
    })),
    cardMark: core === undefined ? 0 : cardHash(hashText(core, 0)),
  };
}
