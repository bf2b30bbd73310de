/** Recognises formats other than text in UTF-8 by the first bytes of a file. */

/** Each format with bytes, in hexadecimal, that its files begin with. */
const firstBytes = [
  ['zip', '504b0304'],
  // An archive without a file.
  ['zip', '504b0506'],
  ['gzip', '1f8b'],
  ['bzip2', '425a68'],
  ['xz', 'fd377a585a00'],
  ['zstd', '28b52ffd'],
  ['7-Zip', '377abcaf271c'],
  ['Excel', 'd0cf11e0'],
  ['UTF-16', 'fffe'],
  ['UTF-16', 'feff'],
] as const;

export type BinaryFormat = (typeof firstBytes)[number][0];

/** How many bytes of a file are needed. */
export const binaryFormatBytes = 6;

/** `Excel` is a workbook in the format before 2007; a newer one is a zip archive. Null for all other contents. */
export function binaryFormatOf(beginning: Uint8Array): BinaryFormat | null {
  const hex = Buffer.from(beginning.subarray(0, binaryFormatBytes)).toString('hex');
  return firstBytes.find(([, bytes]) => hex.startsWith(bytes))?.[0] ?? null;
}
