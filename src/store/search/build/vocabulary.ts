/** Sorts terms alphabetically: maps provisional numbers to ids. */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import type { IdRange } from '../index/weights.ts';
import type { TermNumbers } from './term-numbers.ts';

export interface Vocabulary {
  /** How many terms. */
  readonly size: number;
  /** Provisional number → id. Ids follow the order of the terms' UTF-16 units. */
  readonly ids: Uint32Array;
  text(id: number): string;
  /** A hash of the term's text. */
  hash(id: number): number;
  /** Copies the term's UTF-16 units. @returns how many */
  copyUnits(id: number, into: Uint16Array): number;
}

export function sortVocabulary(numbers: TermNumbers): Vocabulary {
  // The strings exist only while they are sorted; afterwards the order is a column of numbers.
  const sorted = Array.from({ length: numbers.size }, (_, number) => numbers.text(number)).sort();
  const order = Uint32Array.from(sorted, (term) => numbers.numberOf(term));
  const ids = new Uint32Array(order.length);
  order.forEach((number, id) => {
    ids[number] = id;
  });
  return {
    size: order.length,
    ids,
    text: (id) => numbers.text(order[id] ?? 0),
    hash: (id) => numbers.hash(order[id] ?? 0),
    copyUnits: (id, into) => numbers.copyUnits(order[id] ?? 0, into),
  };
}

/** Ids of the terms that begin with the prefix: the first, and one more than the last. */
export function rangeOf(vocabulary: Vocabulary, prefix: string): IdRange {
  return [lowerBound(vocabulary, prefix), lowerBound(vocabulary, `${prefix}\uffff`)];
}

/** Ids of those of the texts that are terms. */
export function idsOf(vocabulary: Vocabulary, texts: Iterable<string>): number[] {
  const ids: number[] = [];
  for (const text of texts) {
    const id = lowerBound(vocabulary, text);
    if (id < vocabulary.size && vocabulary.text(id) === text) ids.push(id);
  }
  return ids;
}

function lowerBound(vocabulary: Vocabulary, text: string): number {
  return firstNotBefore(0, vocabulary.size, (id) => vocabulary.text(id) < text);
}
