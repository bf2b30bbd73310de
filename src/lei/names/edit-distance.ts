/** Counts the typing errors between two words, up to a bound. */

/**
 * Substitutions, missing and extra letters, and exchanged neighbours. Letters exchanged around one that was lost or
 * added count two: "tucosvw" for "tucows". For bounds of one or two: each further error costs four times the work.
 * @returns a number above `max` if there are more
 */
export function editDistance(
  a: Uint16Array,
  aLength: number,
  b: Uint16Array,
  bLength: number,
  max: number,
): number {
  return Math.abs(aLength - bLength) > max ? max + 1 : between(a, 0, aLength, b, 0, bLength, max);
}

/**
 * The distance of two parts of words, each from its beginning to its end. Seven arguments, because two objects for the
 * parts double the time: 44 instead of 23 ns for a pair of words.
 */
function between(
  a: Uint16Array,
  aStart: number,
  aStop: number,
  b: Uint16Array,
  bStart: number,
  bStop: number,
  max: number,
): number {
  // Skip equal letters at both ends: the errors are in between.
  let aFrom = aStart;
  let bFrom = bStart;
  let aEnd = aStop;
  let bEnd = bStop;
  while (aFrom < aEnd && bFrom < bEnd && a[aFrom] === b[bFrom]) {
    aFrom++;
    bFrom++;
  }
  while (aEnd > aFrom && bEnd > bFrom && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  const longer = Math.max(aEnd - aFrom, bEnd - bFrom);
  if (longer <= 1 || aEnd === aFrom || bEnd === bFrom) return longer;
  const exchanged =
    a[aFrom] === b[bFrom + 1] && a[aFrom + 1] === b[bFrom] && aEnd - aFrom > 1 && bEnd - bFrom > 1;
  if (max < 2) return max === 1 && exchanged && longer === 2 ? 1 : max + 1;
  // Two letters exchanged around one that only the longer part has: "ws" and "svw".
  const isAroundOne = longer === 3 && aEnd - aFrom + bEnd - bFrom === 5;
  if (isAroundOne && a[aFrom] === b[bEnd - 1] && b[bFrom] === a[aEnd - 1]) return 2;
  // Try each of the four errors where the words first differ.
  const left = max - 1;
  const replaced = between(a, aFrom + 1, aEnd, b, bFrom + 1, bEnd, left);
  const extra = between(a, aFrom + 1, aEnd, b, bFrom, bEnd, left);
  const missing = between(a, aFrom, aEnd, b, bFrom + 1, bEnd, left);
  const swapped = exchanged ? between(a, aFrom + 2, aEnd, b, bFrom + 2, bEnd, left) : max;
  return 1 + Math.min(replaced, extra, missing, swapped);
}

/** Fills a buffer with the UTF-16 units of a word. */
export function unitsOf(word: string, into: Uint16Array): Uint16Array {
  for (let i = 0; i < word.length; i++) into[i] = word.charCodeAt(i);
  return into;
}

/** One bit for each letter of a word; letters of other scripts share bits. */
export function lettersOf(units: Uint16Array, length: number): number {
  let letters = 0;
  for (let at = 0; at < length; at++) letters |= letterBit(units[at] ?? 0);
  return letters;
}

export function letterBit(unit: number): number {
  return 1 << (unit & 31);
}

/**
 * Whether two words with these letters may be so many errors from each other: each changes two letters at most. It spares
 * most words the exact measurement.
 */
export function mayBeWithin(errors: number, letters: number, others: number): boolean {
  let changes = 2 * errors;
  for (let left = letters ^ others; left !== 0; left &= left - 1) if (changes-- === 0) return false;
  return true;
}
