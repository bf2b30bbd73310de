/**
 * Prepares a company for the index: everything that follows from its record alone. It is plain data, so another thread
 * than that of the index may make it.
 */
import { hashText } from '../../../bytes/hash.ts';
import { searchFactsOf } from '../../company-record.ts';
import { countryTerm, keySeeds, statusTerm } from '../format.ts';
import { gradeAlone } from '../score/grades.ts';
import type { SearchDocument } from '../search-reader.ts';
import {
  filterOf,
  type IndexedName,
  identifierKeys,
  indexedNames,
  nameKeys,
  type WholeKey,
} from './indexed-company.ts';

export interface PreparedCompany {
  readonly lei: string;
  /** Without what other records contain about it. */
  readonly grade: number;
  /** Of its legal address, as published. */
  readonly country: string | null;
  /** Terms by which it is filtered; null for none. */
  readonly countryTerm: string | null;
  readonly statusTerm: string | null;
  readonly names: readonly IndexedName[];
  readonly keys: readonly HashedKey[];
}

/**
 * A text that finds a company as a whole, as two hashes: one chooses the bucket, the other distinguishes keys within
 * it.
 */
export interface HashedKey {
  readonly bucket: number;
  readonly hash: number;
  readonly nameIndex: number;
}

export function prepareCompany(facts: Omit<SearchDocument, 'entity'>): PreparedCompany {
  const names = indexedNames(facts);
  return {
    lei: facts.lei,
    grade: gradeAlone(facts.entityStatus, facts.registrationStatus),
    country: facts.country,
    countryTerm: filterOf(facts.country, countryTerm),
    statusTerm: filterOf(facts.registrationStatus, statusTerm),
    names,
    keys: [...nameKeys(names), ...identifierKeys(facts)].map(hashedKey),
  };
}

/** The company of a stored record, as JSON: a text crosses threads faster than an object. */
export function preparedJson(stored: string): string {
  return JSON.stringify(prepareCompany(searchFactsOf(stored)));
}

export function hashedKey({ key, kind, nameIndex }: WholeKey): HashedKey {
  const [bucketSeed, entrySeed] = keySeeds[kind];
  return { bucket: hashText(key, bucketSeed), hash: hashText(key, entrySeed), nameIndex };
}
