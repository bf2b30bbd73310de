/**
 * Remembers the short texts that fields of a file repeat, such as codes. Half of the fields of a level 1 row have one. A
 * string that was made before costs less than a new one: it is no slice of a row, and its hash is known where sets and maps
 * are asked for it.
 */

/** Longer texts are not remembered. An LEI has 20 characters; a time has 25, and seldom repeats but for the next renewal. */
const lengthMax = 24;
/** For the length and the longest text, as a power of two. */
const placeBytes = 32;
/** Places of texts, by their hash; a text takes the place of another one. */
const places = 4096;
/** Fields of a column that are looked at before it is judged, and how many of them must have been remembered. */
const judgedAfter = 2048;
const repeatedMin = 1536;

export class RepeatedTexts {
  readonly #texts = new Array<string>(places).fill('');
  /** The length of the text at each place, then its bytes: looking at a text itself takes longer. */
  readonly #bytes = new Uint8Array(places * placeBytes);
  /** Of each column, how many fields were looked at, and how many of their texts were remembered. */
  readonly #seen: Uint32Array;
  readonly #repeated: Uint32Array;

  constructor(columns: number) {
    this.#seen = new Uint32Array(columns);
    this.#repeated = new Uint32Array(columns);
  }

  /** The text of an ASCII field without quotes; null for a long one, or if texts of its column are rarely repeated. */
  find(bytes: Buffer, start: number, end: number, column: number): string | null {
    const seen = this.#seen[column] ?? 0;
    const repeated = this.#repeated[column] ?? 0;
    const length = end - start;
    if (length > lengthMax || (seen >= judgedAfter && repeated < repeatedMin)) return null;
    if (seen < judgedAfter) this.#seen[column] = seen + 1;
    const place = placeOf(bytes, start, end);
    const at = place * placeBytes;
    if (this.#bytes[at] === length && this.#isAt(at + 1, bytes, start, length)) {
      if (seen < judgedAfter) this.#repeated[column] = repeated + 1;
      return this.#texts[place] ?? '';
    }
    const text = bytes.toString('latin1', start, end);
    this.#texts[place] = text;
    this.#bytes[at] = length;
    for (let i = 0; i < length; i++) this.#bytes[at + 1 + i] = bytes[start + i] ?? 0;
    return text;
  }

  #isAt(at: number, bytes: Uint8Array, start: number, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[at + i] !== bytes[start + i]) return false;
    return true;
  }
}

/** By the length, the first byte and the last ones: codes that begin alike end differently. */
function placeOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = (end - start) * 31 + (bytes[start] ?? 0);
  for (let at = Math.max(start, end - lastBytes); at < end; at++)
    hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return (hash ^ (hash >>> 12)) & (places - 1);
}
const lastBytes = 6;
