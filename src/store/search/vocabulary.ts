/** Terms in alphabetical order with what is known of each: the bridge from provisional numbers to ids. */
import { isForm, isLight } from '../../lei/names/name-terms.ts';
import type { Collection } from './collection.ts';
import { filterMark } from './format.ts';

export interface Vocabulary {
  /** Sorted by UTF-16 units; the index is the term's id. */
  readonly terms: readonly string[];
  /** Provisional number → id. */
  readonly ids: Uint32Array;
}

/** Takes the terms over from the collection, which gives its table up. */
export function sortVocabulary(collection: Collection): Vocabulary {
  const { vocabulary } = collection;
  const terms = Array.from({ length: vocabulary.size }, (_, number) => vocabulary.text(number)).sort();
  const ids = new Uint32Array(terms.length);
  terms.forEach((term, id) => {
    ids[vocabulary.numberOf(term)] = id;
  });
  vocabulary.clear();
  return { terms, ids };
}

/** Half-open range of the ids whose terms begin so. */
export function rangeOf(terms: readonly string[], prefix: string): [number, number] {
  return [lowerBound(terms, prefix), lowerBound(terms, `${prefix}\uffff`)];
}

function lowerBound(terms: readonly string[], text: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lightShare = 0.3;
/** A legal form weighs next to nothing, but not nothing: the right one breaks a tie. */
export const formWeight = 4;

/** One byte a term: how much it says about a company, from how few have it (inverse document frequency). */
export function weightsOf(terms: readonly string[], frequencies: Uint32Array, documents: number): Uint8Array {
  const weights = new Uint8Array(terms.length);
  const rarest = Math.log(1 + documents);
  terms.forEach((term, id) => {
    if (isForm(term) || term.startsWith(filterMark)) {
      weights[id] = formWeight;
      return;
    }
    const rarity = Math.log(1 + documents / Math.max(1, frequencies[id] ?? 1)) / rarest;
    weights[id] = Math.max(formWeight, Math.round(255 * rarity * (isLight(term) ? lightShare : 1)));
  });
  return weights;
}
