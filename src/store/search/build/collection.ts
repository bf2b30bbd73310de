/**
 * Collects the companies of an index until it is written, as numbers in packed columns instead of objects.
 *
 *     sequence   for each company: how many names; for each: kind << 16 | how many terms, then the terms
 */
import { hashText } from '../../../bytes/hash.ts';
import { NumberPieces } from '../../../bytes/number-pieces.ts';
import { shortBic } from '../../../lei/identifier-kinds.ts';
import { identifierKey, nameKey, nameTerms } from '../../../lei/names/name-terms.ts';
import { countryTerm, identifierNameIndex, keySeeds, nameKinds, statusTerm } from '../format.ts';
import { searchLimits } from '../limits.ts';
import { gradeAlone, gradeWith } from '../score/grades.ts';
import type { SearchDocument, SearchLinks } from '../search-reader.ts';
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

export function collect(collection: Collection, document: SearchDocument): void {
  const company = collection.count;
  if (company >= searchLimits.documentsMax) {
    throw new Error(`A search index holds at most ${searchLimits.documentsMax} companies.`);
  }
  collection.count++;
  collection.entities.push(document.entity);
  collection.grades.push(gradeAlone(document.entityStatus, document.registrationStatus));
  collection.leiHigh.push(Number.parseInt(document.lei.slice(0, 10), 36));
  collection.leiLow.push(Number.parseInt(document.lei.slice(10), 36));
  collection.countries.push(filterNumber(collection, document.country, countryTerm));
  collection.statuses.push(filterNumber(collection, document.registrationStatus, statusTerm));
  collectNames(collection, company, document);
  collectIdentifiers(collection, company, document);
}

function filterNumber(
  collection: Collection,
  value: string | null,
  termOf: (value: string) => string,
): number {
  if (value === null || value === '' || value.length > filterUnitsMax) return 0;
  return numberOf(collection, termOf(value.toUpperCase())) + 1;
}

/**
 * UTF-16 units of a country or status. Those that a question can name are shorter, but records hold anything, and a term
 * has room for 127 units: these, two of its mark, and those that capitals add.
 */
const filterUnitsMax = 40;

function collectNames(collection: Collection, company: number, document: SearchDocument): void {
  const { sequence } = collection;
  collection.starts.push(sequence.length);
  const names = document.names.slice(0, searchLimits.namesPerDocumentMax);
  sequence.push(names.length);
  const keys = new Set<string>();
  names.forEach(({ name, type }, nameIndex) => {
    const terms = nameTerms(name).slice(0, searchLimits.termsPerNameMax);
    sequence.push((kindOfName(type, nameIndex) << 16) | terms.length);
    for (const term of terms) sequence.push(numberOf(collection, term));
    const key = nameKey(terms);
    if (key === '' || keys.has(key)) return;
    keys.add(key);
    pushKey(collection, key, 'name', company, nameIndex);
  });
  collection.names += names.length;
}

function kindOfName(type: string, nameIndex: number): number {
  if (nameIndex === 0) return nameKinds.legal;
  return type.startsWith('PREVIOUS') ? nameKinds.previous : nameKinds.other;
}

function numberOf(collection: Collection, term: string): number {
  const number = collection.vocabulary.numberOf(term);
  if (number >= searchLimits.termsMax) {
    throw new Error(`A search index holds at most ${searchLimits.termsMax} terms.`);
  }
  return number;
}

function collectIdentifiers(collection: Collection, company: number, document: SearchDocument): void {
  const keys = new Set([identifierKey(document.lei), identifierKey(document.registeredAs ?? '')]);
  keys.delete('');
  for (const key of keys) pushKey(collection, key, 'identifier', company, identifierNameIndex);
}

function pushKey(
  collection: Collection,
  key: string,
  kind: keyof typeof keySeeds,
  company: number,
  nameIndex: number,
): void {
  const [bucketSeed, entrySeed] = keySeeds[kind];
  collection.keyBuckets.push(hashText(key, bucketSeed));
  collection.keyHashes.push(hashText(key, entrySeed));
  collection.keyCompanies.push(((company << 8) | nameIndex) >>> 0);
}

/** Adds the facts about the companies that stand in other records. Call it once, after the last company. */
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
    pushKey(collection, identifierKey(bic) || bic, 'identifier', company, identifierNameIndex);
    // A BIC of eight characters and the same BIC with XXX both mean the head office.
    const short = shortBic(bic);
    if (short !== null) pushKey(collection, short, 'identifier', company, identifierNameIndex);
  }
}

/** Companies in order of rank: by grade, then by LEI, in whatever order they were added. */
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
