/** How many typing errors lie between two words, as far as a bound. */

const widthMax = 64;
const rows = [new Uint8Array(widthMax), new Uint8Array(widthMax), new Uint8Array(widthMax)] as const;

/**
 * Substitutions, missing and extra letters, and neighbours exchanged (optimal string alignment).
 * @returns a number above `max` where there are more
 */
export function editDistance(
  a: Uint16Array,
  aLength: number,
  b: Uint16Array,
  bLength: number,
  max: number,
): number {
  if (Math.abs(aLength - bLength) > max) return max + 1;
  let from = 0;
  while (from < aLength && from < bLength && a[from] === b[from]) from++;
  let aEnd = aLength;
  let bEnd = bLength;
  while (aEnd > from && bEnd > from && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  const rest = Math.max(aEnd, bEnd) - from;
  // What lies between a common beginning and a common end: one letter each way is one error, and needs no table.
  if (rest <= 1) return rest;
  if (aEnd === from || bEnd === from) return rest;
  return alignment(a.subarray(from, aEnd), b.subarray(from, bEnd), max);
}

function alignment(a: Uint16Array, b: Uint16Array, max: number): number {
  if (b.length >= widthMax) return max + 1;
  let [older, before, row]: readonly [Uint8Array, Uint8Array, Uint8Array] = rows;
  for (let j = 0; j <= b.length; j++) before[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = cellCost(a, b, i, j, older, before, row);
      row[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > max) return max + 1;
    [older, before, row] = [before, row, older];
  }
  return before[b.length] ?? max + 1;
}

function cellCost(
  a: Uint16Array,
  b: Uint16Array,
  i: number,
  j: number,
  older: Uint8Array,
  before: Uint8Array,
  row: Uint8Array,
): number {
  const replaced = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const cost = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
  const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return exchanged ? Math.min(cost, (older[j - 2] ?? 0) + 1) : cost;
}

const scratch = [new Uint16Array(256), new Uint16Array(256)] as const;

/** The same for strings. */
export function wordDistance(a: string, b: string, max: number): number {
  return editDistance(unitsOf(a, scratch[0]), a.length, unitsOf(b, scratch[1]), b.length, max);
}

/** Fills a buffer with the UTF-16 units of a word. */
export function unitsOf(word: string, into: Uint16Array): Uint16Array {
  for (let i = 0; i < word.length; i++) into[i] = word.charCodeAt(i);
  return into;
}
