/**
 * Tight loops over the codes of one block. A set has 32 words of 32 bits for a block, which begin at `from`. Each loop
 * clears the bits of entities that do not pass.
 */

export const wordsPerBlock = 32;

/** @param passing 1 for each code that passes */
export function keepListed(
  codes: Uint16Array | Uint32Array,
  passing: Uint8Array,
  words: Uint32Array,
  from: number,
): void {
  for (let word = 0; word < wordsPerBlock; word++) {
    const before = words[from + word] ?? 0;
    if (before === 0) continue;
    let kept = 0;
    const first = word * 32;
    // All 32, four in a turn: this takes half as long as one in a turn, and looking for set bits takes longer.
    for (let bit = 0; bit < 32; bit += 4) {
      const at = first + bit;
      const one = passing[codes[at] ?? 0] ?? 0;
      const two = passing[codes[at + 1] ?? 0] ?? 0;
      const three = passing[codes[at + 2] ?? 0] ?? 0;
      const four = passing[codes[at + 3] ?? 0] ?? 0;
      kept |= (one | (two << 1) | (three << 2) | (four << 3)) << bit;
    }
    words[from + word] = before & kept;
  }
}

/**
 * The same for codes in slices, if few codes pass, or few do not.
 * @param slices of the lowest `bits` bits, in which all codes differ, the lowest first
 * @param isExcluded whether entities with one of the codes do not pass, in place of all others
 */
export function keepCoded(
  slices: Uint32Array,
  bits: number,
  { codes, isExcluded }: FewCodes,
  words: Uint32Array,
  from: number,
): void {
  found.fill(0);
  for (let i = 0; i < codes.length; i++) findCode(slices, bits, codes[i] ?? 0);
  const flip = isExcluded ? -1 : 0;
  for (let word = 0; word < wordsPerBlock; word++)
    words[from + word] = (words[from + word] ?? 0) & ((found[word] ?? 0) ^ flip);
}

/** Room of {@link keepCoded}: the entities with any of the codes. Signed numbers are what operations on bits make. */
const found = new Int32Array(wordsPerBlock);

/**
 * Sets the bits of the entities with a code in `found`. What is found of four words stays in registers while the slices are gone
 * through: this takes half as long as going through all words of slice after slice.
 */
function findCode(slices: Uint32Array, bits: number, code: number): void {
  for (let word = 0; word < wordsPerBlock; word += 4) {
    let one = -1;
    let two = -1;
    let three = -1;
    let four = -1;
    for (let bit = 0; bit < bits; bit++) {
      const at = bit * wordsPerBlock + word;
      // All ones for a bit that the code lacks.
      const flip = ((code >>> bit) & 1) - 1;
      one &= (slices[at] ?? 0) ^ flip;
      two &= (slices[at + 1] ?? 0) ^ flip;
      three &= (slices[at + 2] ?? 0) ^ flip;
      four &= (slices[at + 3] ?? 0) ^ flip;
    }
    found[word] = (found[word] ?? 0) | one;
    found[word + 1] = (found[word + 1] ?? 0) | two;
    found[word + 2] = (found[word + 2] ?? 0) | three;
    found[word + 3] = (found[word + 3] ?? 0) | four;
  }
}

interface FewCodes {
  readonly codes: readonly number[];
  readonly isExcluded: boolean;
}

/** Both ends pass. */
export function keepBetween(
  codes: Uint32Array,
  least: number,
  most: number,
  words: Uint32Array,
  from: number,
): void {
  for (let word = 0; word < wordsPerBlock; word++) {
    let kept = 0;
    const first = word * 32;
    for (let bits = words[from + word] ?? 0; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      const code = codes[first + (31 - Math.clz32(bit))] ?? 0;
      if (code >= least && code <= most) kept |= bit;
    }
    words[from + word] = kept;
  }
}

/** Sets the bits of `like` for members of a set whose code is one of some hashes. */
export function markHashes(
  codes: Uint32Array,
  hashes: ReadonlySet<number>,
  words: Uint32Array,
  like: Uint32Array,
  from: number,
): void {
  for (let word = 0; word < wordsPerBlock; word++) {
    let found = 0;
    for (let bits = words[from + word] ?? 0; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      if (hashes.has(codes[word * 32 + (31 - Math.clz32(bit))] ?? 0)) found |= bit;
    }
    like[from + word] = found;
  }
}

/** The places of set bits in a block, ascending. @returns their number */
export function placesIn(words: Uint32Array, from: number, places: Uint16Array): number {
  let count = 0;
  for (let word = 0; word < wordsPerBlock; word++) {
    const first = word * 32;
    let bits = (words[from + word] ?? 0) | 0;
    if (bits === -1) {
      // In a set of nearly all companies, most words are full.
      for (let bit = 0; bit < 32; bit++) places[count++] = first + bit;
      bits = 0;
    }
    for (; bits !== 0; bits &= bits - 1) places[count++] = first + (31 - Math.clz32(bits & -bits));
  }
  return count;
}

/** Whether a block has a set bit. */
export function hasMembers(words: Uint32Array, from: number): boolean {
  for (let word = 0; word < wordsPerBlock; word++) if (words[from + word] !== 0) return true;
  return false;
}
