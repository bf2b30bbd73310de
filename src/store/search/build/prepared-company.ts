/**
 * Prepares a company for the index: the terms of its names, its filters, and the keys that find it as a whole, all that
 * follows from its record alone. It is plain data, so another thread than that of the index may make it.
 */
import { hashText } from '../../../bytes/hash.ts';
import { shortBic } from '../../../lei/identifier-kinds.ts';
import { identifierKey, initialsKey, nameKey, nameTerms } from '../../../lei/names/name-terms.ts';
import { searchFactsOf } from '../../company-record.ts';
import { countryTerm, identifierNameIndex, keySeeds, nameKinds, statusTerm } from '../format.ts';
import type { KeyHashes } from '../index/keys.ts';
import { searchLimits } from '../limits.ts';
import { gradeAlone } from '../score/grades.ts';
import type { SearchDocument } from '../search-reader.ts';

export interface PreparedCompany {
  readonly lei: string;
  /** Without the facts that other records contain about it. */
  readonly grade: number;
  /** The country of its legal address, as published. */
  readonly country: string | null;
  /** Terms by which it is filtered; null for none. */
  readonly countryTerm: string | null;
  readonly statusTerm: string | null;
  readonly names: readonly IndexedName[];
  readonly keys: readonly HashedKey[];
}

export interface IndexedName {
  /** One of {@link nameKinds}. */
  readonly kind: number;
  readonly terms: readonly string[];
}

/** A text that finds a company as a whole. */
export interface HashedKey extends KeyHashes {
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
    keys: [...nameKeys(names), ...identifierKeys(facts)],
  };
}

/** The company of a stored record, as JSON: a text crosses threads faster than an object. */
export function preparedJson(stored: string): string {
  const bytes = Buffer.from(stored);
  return JSON.stringify(prepareCompany(searchFactsOf({ bytes, length: bytes.length })));
}

function indexedNames({ names }: Pick<SearchDocument, 'names'>): IndexedName[] {
  return names.slice(0, searchLimits.namesPerDocumentMax).map(({ name, type }, nameIndex) => ({
    kind: kindOfName(type, nameIndex),
    terms: nameTerms(name).slice(0, searchLimits.termsPerNameMax),
  }));
}

function kindOfName(type: string, nameIndex: number): number {
  if (nameIndex === 0) return nameKinds.legal;
  return type.startsWith('PREVIOUS') ? nameKinds.previous : nameKinds.other;
}

/** The whole names and their initials. Names that differ only in their connectors are found by the first of them. */
function nameKeys(names: readonly IndexedName[]): HashedKey[] {
  const found: string[] = [];
  const keys: HashedKey[] = [];
  for (let nameIndex = 0; nameIndex < names.length; nameIndex++) {
    const terms = names[nameIndex]?.terms ?? [];
    for (const key of [nameKey(terms), initialsKey(terms)]) {
      if (key === '' || found.includes(key)) continue;
      found.push(key);
      keys.push(hashedKey('name', key, nameIndex));
    }
  }
  return keys;
}

/** LEI and number in the register. */
function identifierKeys({ lei, registeredAs }: Pick<SearchDocument, 'lei' | 'registeredAs'>): HashedKey[] {
  const [ofLei, ofNumber] = [identifierKey(lei), identifierKey(registeredAs ?? '')];
  const keys = ofLei === ofNumber ? [ofLei] : [ofLei, ofNumber];
  return keys.filter((key) => key !== '').map(hashedIdentifier);
}

export function bicKeys(bic: string): HashedKey[] {
  // Eight characters mean the head office, like the same eight with XXX.
  const short = shortBic(bic);
  const whole = identifierKey(bic) || bic;
  return (short === null ? [whole] : [whole, short]).map(hashedIdentifier);
}

function hashedIdentifier(key: string): HashedKey {
  return hashedKey('identifier', key, identifierNameIndex);
}

function hashedKey(kind: keyof typeof keySeeds, key: string, nameIndex: number): HashedKey {
  const [bucketSeed, entrySeed] = keySeeds[kind];
  return { bucket: hashText(key, bucketSeed), hash: hashText(key, entrySeed), nameIndex };
}

/**
 * UTF-16 units of a country or status. A question's values are shorter, but records may contain anything. A term has
 * room for 127 units: these, two of its mark, and those that capitals add.
 */
const filterUnitsMax = 40;

/** The term by which companies are filtered; null if the value is empty. */
function filterOf(value: string | null, termOf: (value: string) => string): string | null {
  if (value === null || value === '' || value.length > filterUnitsMax) return null;
  return termOf(value.toUpperCase());
}
