/**
 * What columns tell about the words in names, addresses and numbers of a company: bits.
 *
 * Each of a few dozen common words has a bit of its own, which is exact. All other words set three bits of a signature. A
 * company with certain words has all of their bits; few others do, of which their records tell. Common words would fill the
 * signatures, and their companies are too many to read.
 *
 * A block has a slice for each bit, with that bit of all its companies. So a search for a word reads one slice or three of
 * each block.
 */
import type { Glimpse } from '../../lmdb.ts';
import { isRecord } from '../company-fields.ts';
import { RecordWords } from '../record-words.ts';
import { hashOfWord } from '../sought-words.ts';
import { searchedPlaces } from '../text-parts.ts';

const signatureBits = 192;
const commonWordsMax = 64;
/** Of a signature and of the common words behind it. */
export const wordBits = signatureBits + commonWordsMax;

/** The bits that a word sets in a signature, which need not be different. */
export function bitsOfWord(hash: number): readonly [number, number, number] {
  return [signatureBit(hash), signatureBit(hash >>> 10), signatureBit(hash >>> 20)];
}

function signatureBit(hash: number): number {
  return ((hash & 1023) * signatureBits) >>> 10;
}

/** Of the words that are counted in a sample, those that at least one company in so many has are common. */
const companiesPerCommonWord = 100;
/** A sample has at least so many companies, and fewer than twice: each count is right to a few parts of a thousand of all. */
const sampleLeast = 20_000;

/**
 * The most frequent words of a sample of companies, most frequent first. The choice moves speed and not what is found, so a
 * delta keeps it.
 * @param read a stored record, or an LEI alone
 */
export function commonWords(lastEntity: number, read: (entity: number) => Glimpse): readonly string[] {
  const counts = new Map<string, number>();
  const words = new RecordWords();
  const step = Math.max(1, Math.floor(lastEntity / sampleLeast));
  let companies = 0;
  for (let entity = 1; entity <= lastEntity; entity += step) {
    const stored = read(entity);
    if (!isRecord(stored)) continue;
    companies++;
    words.read(stored, searchedPlaces);
    const found = new Set(Array.from({ length: words.count }, (_, index) => words.wordAt(index)));
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count * companiesPerCommonWord >= companies);
  frequent.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return frequent.slice(0, commonWordsMax).map(([word]) => word);
}

/** The bits of common words. */
export class CommonWords {
  readonly #byHash = new Map<number, { readonly word: string; readonly bit: number }>();
  /** 1 where a common word has these last bits of its hash. Most words end here, in a tenth of the time. */
  readonly #endings = new Uint8Array(1024);

  constructor(words: readonly string[]) {
    // Of two words with one hash, the first is common.
    for (const [index, word] of words.entries()) {
      const hash = hashOfWord(word);
      if (!this.#byHash.has(hash)) this.#byHash.set(hash, { word, bit: signatureBits + index });
      this.#endings[hash % this.#endings.length] = 1;
    }
  }

  /** @param is whether the word is a common one with its hash @returns null for another word */
  bitOf(hash: number, is: (word: string) => boolean): number | null {
    if (this.#endings[hash % this.#endings.length] === 0) return null;
    const found = this.#byHash.get(hash);
    return found !== undefined && is(found.word) ? found.bit : null;
  }
}
