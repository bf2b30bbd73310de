/** Looks for words in the texts of a stored record. */
import type { Glimpse } from '../../lmdb.ts';
import { hashOfWord, RecordWords } from '../record-words.ts';
import { placesOfPart, type TextPart } from '../text-parts.ts';

/** Words of which all must be there. */
export interface SoughtWords {
  readonly words: readonly string[];
  readonly hashes: readonly number[];
}

/** @param words folded */
export function soughtWords(words: readonly string[]): SoughtWords {
  return { words, hashes: words.map(hashOfWord) };
}

const read = new RecordWords();

/** Whether one text of a part of a record has all of the words; of everything, whether its texts have them together. */
export function hasWords(stored: Glimpse, part: TextPart, { words, hashes }: SoughtWords): boolean {
  read.read(stored, placesOfPart[part]);
  const found = new Set<number>();
  for (let at = 0; at < read.count; at++) {
    if (part !== 'everything' && read.texts[at] !== read.texts[at - 1]) found.clear();
    for (let word = 0; word < hashes.length; word++) {
      if (hashes[word] !== read.hashes[at] || words[word] !== read.wordAt(at)) continue;
      found.add(word);
      if (found.size === words.length) return true;
    }
  }
  return false;
}
