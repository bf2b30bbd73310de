/** FlexSearch's encoder with our own folding: the one way from a name or a question to its terms. */
import { Encoder } from 'flexsearch';
import { nameTerms } from '../../lei/names/name-terms.ts';

/**
 * FlexSearch's own character sets tear words apart at combining marks, leave ø, ł and ß as they are and split
 * numbers into triplets; so folding and cutting are ours. It also drops repeated words, which would make Bora Bora
 * equal to Bora: the terms are handed back whole at the end.
 */
export function createNameEncoder(): Encoder {
  let whole: string[] = [];
  return new Encoder({
    normalize: (text: string) => {
      whole = nameTerms(text);
      return whole.join(' ');
    },
    split: ' ',
    finalize: () => whole,
    numeric: false,
    dedupe: false,
    // Its cache hands out one array to all callers, and is emptied by a timer that never fires in a bulk load.
    cache: false,
  });
}
