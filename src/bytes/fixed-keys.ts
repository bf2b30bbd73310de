/** Writes and compares keys of a fixed width, such as LEIs: one byte per character. */

/** Writes the bytes of a key. @returns false if it is not a key of this width: too short or long, or beyond Latin-1 */
export function putKey(key: string, into: Uint8Array): boolean {
  if (key.length !== into.length) return false;
  for (let i = 0; i < into.length; i++) {
    const code = key.charCodeAt(i);
    if (code > 0xff) return false;
    into[i] = code;
  }
  return true;
}

/** Less than, equal to or greater than 0, comparing the key at `aFrom` of `a` with the key at `bFrom` of `b`. */
export function compareKeys(
  a: Uint8Array,
  aFrom: number,
  b: Uint8Array,
  bFrom: number,
  width: number,
): number {
  for (let i = 0; i < width; i++) {
    const difference = (a[aFrom + i] ?? 0) - (b[bFrom + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
