/** Keys of a fixed width, as an LEI: in one byte a character. */

/** FNV-1a with the finisher of MurmurHash3. Part of the format: publications live longer than a Bun version. */
export function hashOf(bytes: Uint8Array, from: number, width: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < from + width; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Puts the bytes of a key. @returns false where it is no key of this width: too short or long, or beyond Latin-1 */
export function putKey(key: string, into: Uint8Array): boolean {
  if (key.length !== into.length) return false;
  for (let i = 0; i < into.length; i++) {
    const code = key.charCodeAt(i);
    if (code > 0xff) return false;
    into[i] = code;
  }
  return true;
}

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
