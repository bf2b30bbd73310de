/** Damages bytes in ways that look random and are the same in every run. */

/** Numbers from 0 to below 1 that look random and are the same in every run (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const signs = Buffer.from('",\n\r<>&;{}[]:\\\0\xff]]>--0', 'latin1');

/**
 * Damages one to eight places: bytes are changed, cut out, repeated, inserted from elsewhere, or the end is cut off.
 */
export function damaged(original: Buffer, next: () => number): Buffer {
  let bytes = Buffer.from(original);
  const at = () => Math.floor(next() * bytes.length);
  for (let wounds = 1 + Math.floor(next() * 8); wounds > 0 && bytes.length > 0; wounds--) {
    const start = at();
    const length = Math.floor(next() ** 4 * 2000);
    const piece = bytes.subarray(start, start + length);
    switch (Math.floor(next() * 6)) {
      case 0:
        bytes[start] = Math.floor(next() * 256);
        break;
      case 1:
        bytes[start] = signs[Math.floor(next() * signs.length)] ?? 0;
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, start), piece, bytes.subarray(start)]);
        break;
      case 4: {
        const target = at();
        bytes = Buffer.concat([bytes.subarray(0, target), piece, bytes.subarray(target)]);
        break;
      }
      default:
        if (next() < 0.3) bytes = bytes.subarray(0, start);
    }
  }
  return bytes;
}

/** Replaces one to forty letters and digits by others: the file stays well-formed more often, and means nonsense. */
export function misspelt(original: Buffer, next: () => number): Buffer {
  const bytes = Buffer.from(original);
  const written = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 'latin1');
  for (let slips = 1 + Math.floor(next() ** 2 * 40); slips > 0; slips--) {
    const at = Math.floor(next() * bytes.length);
    if (written.includes(bytes[at] ?? 0)) bytes[at] = written[Math.floor(next() * written.length)] ?? 0;
  }
  return bytes;
}
