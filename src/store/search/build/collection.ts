/**
 * Collects the companies of an index until it is written, as numbers in packed columns instead of objects.
 *
 *     sequence   for each company: how many names; for each: kind << 16 | how many terms, then the terms
 */
import { NumberPieces } from '../../../bytes/number-pieces.ts';
import { searchLimits } from '../limits.ts';
import { gradeWith } from '../score/grades.ts';
import type { SearchLinks } from '../search-reader.ts';
import { bicKeys, type HashedKey, type IndexedName, type PreparedCompany } from './prepared-company.ts';
import { TermNumbers } from './term-numbers.ts';

export interface Collection {
  /** Companies added so far. */
  count: number;
  names: number;
  /** Provisional numbers of terms. */
  readonly vocabulary: TermNumbers;
  readonly sequence: NumberPieces;
  /** Start of each company in the sequence. */
  readonly starts: NumberPieces;
  readonly entities: NumberPieces;
  readonly grades: NumberPieces;
  /** The two halves of the LEI as numbers below 36^10: they compare without its text. */
  readonly leiHigh: number[];
  readonly leiLow: number[];
  /** One more than the provisional number of the filter term; 0 for none. */
  readonly countries: NumberPieces;
  readonly statuses: NumberPieces;
  /** Three columns: hash that chooses the bucket, hash within it, company << 8 | name index. */
  readonly keyBuckets: NumberPieces;
  readonly keyHashes: NumberPieces;
  readonly keyCompanies: NumberPieces;
}

export function emptyCollection(): Collection {
  return {
    count: 0,
    names: 0,
    vocabulary: new TermNumbers(),
    sequence: new NumberPieces(),
    starts: new NumberPieces(),
    entities: new NumberPieces(),
    grades: new NumberPieces(),
    leiHigh: [],
    leiLow: [],
    countries: new NumberPieces(),
    statuses: new NumberPieces(),
    keyBuckets: new NumberPieces(),
    keyHashes: new NumberPieces(),
    keyCompanies: new NumberPieces(),
  };
}

export function collect(collection: Collection, entity: number, company: PreparedCompany): void {
  const number = collection.count;
  if (number >= searchLimits.documentsMax) {
    throw new Error(`A search index holds at most ${searchLimits.documentsMax} companies.`);
  }
  collection.count++;
  collection.entities.push(entity);
  collection.grades.push(company.grade);
  collection.leiHigh.push(Number.parseInt(company.lei.slice(0, 10), 36));
  collection.leiLow.push(Number.parseInt(company.lei.slice(10), 36));
  collection.countries.push(filterNumber(collection, company.countryTerm));
  collection.statuses.push(filterNumber(collection, company.statusTerm));
  collectNames(collection, company.names);
  for (const key of company.keys) pushKey(collection, key, number);
}

function filterNumber(collection: Collection, term: string | null): number {
  return term === null ? 0 : numberOf(collection, term) + 1;
}

function collectNames(collection: Collection, names: readonly IndexedName[]): void {
  const { sequence } = collection;
  collection.starts.push(sequence.length);
  sequence.push(names.length);
  for (const { kind, terms } of names) {
    sequence.push((kind << 16) | terms.length);
    for (const term of terms) sequence.push(numberOf(collection, term));
  }
  collection.names += names.length;
}

function numberOf(collection: Collection, term: string): number {
  const number = collection.vocabulary.numberOf(term);
  if (number >= searchLimits.termsMax) {
    throw new Error(`A search index holds at most ${searchLimits.termsMax} terms.`);
  }
  return number;
}

function pushKey(collection: Collection, { bucket, hash, nameIndex }: HashedKey, company: number): void {
  collection.keyBuckets.push(bucket);
  collection.keyHashes.push(hash);
  collection.keyCompanies.push(((company << 8) | nameIndex) >>> 0);
}

/** Adds the facts about the companies from other records. Call it once, after the last company. */
export function relate(collection: Collection, { directChildren, bics }: SearchLinks): void {
  const { grades, entities } = collection;
  const banks = new Map(bics.map(({ entity }) => [entity, -1]));
  for (let company = 0; company < collection.count; company++) {
    const entity = entities.at(company);
    grades.set(company, gradeWith(grades.at(company), directChildren[entity] ?? 0));
    if (banks.has(entity)) banks.set(entity, company);
  }
  for (const { entity, bic } of bics) {
    const company = banks.get(entity) ?? -1;
    if (company === -1) continue;
    for (const key of bicKeys(bic)) pushKey(collection, key, company);
  }
}

/** Companies in order of rank: by grade, then by LEI, independent of the order in which they were added. */
export function rankedCompanies(collection: Collection): Uint32Array {
  const { leiLow, count } = collection;
  const leiHigh = Float64Array.from(collection.leiHigh);
  const grades = Uint8Array.from({ length: count }, (_, i) => collection.grades.at(i));
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  return order.sort(
    (a, b) =>
      (grades[b] ?? 0) - (grades[a] ?? 0) ||
      (leiHigh[a] ?? 0) - (leiHigh[b] ?? 0) ||
      (leiLow[a] ?? 0) - (leiLow[b] ?? 0),
  );
}
