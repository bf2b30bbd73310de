/**
 * Collects the companies of an index until it is written, as numbers in packed columns instead of objects.
 *
 *     sequence   for each company: how many names; for each: kind << 16 | how many terms, then the terms
 */
import { NumberPieces } from '../../../bytes/memory.ts';
import { searchLimits } from '../limits.ts';
import { gradeWith } from '../score/grades.ts';
import type { SearchLinks } from '../search-reader.ts';
import { bicKeys, type HashedKey, type IndexedName, type PreparedCompany } from './prepared-company.ts';
import { TermNumbers } from './term-numbers.ts';

export class Collection {
  /** Companies added so far. */
  count = 0;
  names = 0;
  /** Provisional numbers of terms. */
  readonly vocabulary = new TermNumbers();
  readonly sequence = new NumberPieces();
  /** Start of each company in the sequence. */
  readonly starts = new NumberPieces();
  readonly entities = new NumberPieces();
  readonly grades = new NumberPieces();
  /** The two halves of the LEI as numbers below 36^10: they compare without its text. */
  readonly #leiHigh: number[] = [];
  readonly #leiLow: number[] = [];
  /** One more than the provisional number of the filter term; 0 for none. */
  readonly countries = new NumberPieces();
  readonly statuses = new NumberPieces();
  /** Three columns: hash that chooses the bucket, hash within it, company << 8 | name index. */
  readonly keyBuckets = new NumberPieces();
  readonly keyHashes = new NumberPieces();
  readonly keyCompanies = new NumberPieces();

  add(entity: number, company: PreparedCompany): void {
    const number = this.count;
    if (number >= searchLimits.documentsMax) {
      throw new Error(`A search index holds at most ${searchLimits.documentsMax} companies.`);
    }
    this.count++;
    this.entities.push(entity);
    this.grades.push(company.grade);
    this.#leiHigh.push(Number.parseInt(company.lei.slice(0, 10), 36));
    this.#leiLow.push(Number.parseInt(company.lei.slice(10), 36));
    this.countries.push(this.#filterNumber(company.countryTerm));
    this.statuses.push(this.#filterNumber(company.statusTerm));
    this.#addNames(company.names);
    for (const key of company.keys) this.#addKey(key, number);
  }

  #filterNumber(term: string | null): number {
    return term === null ? 0 : this.#numberOf(term) + 1;
  }

  #addNames(names: readonly IndexedName[]): void {
    const { sequence } = this;
    this.starts.push(sequence.length);
    sequence.push(names.length);
    for (const { kind, terms } of names) {
      sequence.push((kind << 16) | terms.length);
      for (const term of terms) sequence.push(this.#numberOf(term));
    }
    this.names += names.length;
  }

  #numberOf(term: string): number {
    const number = this.vocabulary.numberOf(term);
    if (number >= searchLimits.termsMax) {
      throw new Error(`A search index holds at most ${searchLimits.termsMax} terms.`);
    }
    return number;
  }

  #addKey({ bucket, hash, nameIndex }: HashedKey, company: number): void {
    this.keyBuckets.push(bucket);
    this.keyHashes.push(hash);
    this.keyCompanies.push(((company << 8) | nameIndex) >>> 0);
  }

  /** Adds the facts about the companies from other records. Call it once, after the last company. */
  relate({ directChildren, bics }: SearchLinks): void {
    const { grades, entities } = this;
    const banks = new Map(bics.map(({ entity }) => [entity, -1]));
    for (let company = 0; company < this.count; company++) {
      const entity = entities.at(company);
      grades.set(company, gradeWith(grades.at(company), directChildren[entity] ?? 0));
      if (banks.has(entity)) banks.set(entity, company);
    }
    for (const { entity, bic } of bics) {
      const company = banks.get(entity) ?? -1;
      if (company === -1) continue;
      for (const key of bicKeys(bic)) this.#addKey(key, company);
    }
  }

  /** Companies in order of rank: by grade, then by LEI, independent of the order in which they were added. */
  ranked(): Uint32Array {
    const { count } = this;
    const leiLow = this.#leiLow;
    const leiHigh = Float64Array.from(this.#leiHigh);
    const grades = Uint8Array.from({ length: count }, (_, i) => this.grades.at(i));
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    return order.sort(
      (a, b) =>
        (grades[b] ?? 0) - (grades[a] ?? 0) ||
        (leiHigh[a] ?? 0) - (leiHigh[b] ?? 0) ||
        (leiLow[a] ?? 0) - (leiLow[b] ?? 0),
    );
  }
}
